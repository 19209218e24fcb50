# Writes OUTPUT, a C++ source with the parts of the page, and the hashes of the style and the script.
# usage: cmake -D VIEWER=dir -D SCRIPT=file -D OUTPUT=file -P viewer_bundle.cmake

cmake_minimum_required(VERSION 3.25)

set(source "#include \"headway/view/bundle.h\"\n\nnamespace headway::bundle {\n")
function(add name file)
  file(READ ${file} text)
  set(source "${source}
const std::string_view ${name} = R\"~headway~(${text})~headway~\";
" PARENT_SCOPE)
endfunction()
# In parts, because a compiler need not accept a longer literal.
set(most 60000)
function(add_parts name file)
  file(READ ${file} text)
  string(LENGTH "${text}" length)
  set(parts "")
  foreach(at RANGE 0 ${length} ${most})
    string(SUBSTRING "${text}" ${at} ${most} part)
    string(APPEND parts "R\"~headway~(${part})~headway~\",\n")
  endforeach()
  set(source "${source}
constexpr std::string_view ${name}Parts[] = {${parts}};
const std::span<const std::string_view> ${name} = ${name}Parts;
" PARENT_SCOPE)
endfunction()
function(add_hash name file)
  file(SHA256 ${file} hash)
  set(source "${source}
const std::string_view ${name} = \"${hash}\";
" PARENT_SCOPE)
endfunction()
add(kTemplate ${VIEWER}/page.html)
add(kStyle ${VIEWER}/page.css)
add_parts(kScript ${SCRIPT})
add_hash(kStyleHash ${VIEWER}/page.css)
add_hash(kScriptHash ${SCRIPT})
file(WRITE ${OUTPUT} "${source}\n}  // namespace headway::bundle\n")

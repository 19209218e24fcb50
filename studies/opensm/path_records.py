# SPDX-License-Identifier: Apache-2.0
"""Prints the service level of each pair of ports, a byte per source and destination, 255 without a path.

usage: ibsim-run python3 path_records.py FILE, where FILE has the GUID of a port in each line
"""
import ctypes
import sys

NO_PATH = 255
SERVICE_LEVEL_AT = 53  # byte of a path record: quality class and service level (InfiniBand Architecture Specification 1.3, 15.2.5.16)
SUBNET = 0xFE80 << 112  # the default prefix of global identifiers
CLASSES = (1, 0x81, 3)  # subnet management, by directed routes, subnet administration
TIMEOUT_MS = 2000
TRIES = 4

mad = ctypes.CDLL("libibmad.so.5")
mad.mad_rpc_open_port.restype = ctypes.c_void_p
port = ctypes.c_void_p(mad.mad_rpc_open_port(None, 0, (ctypes.c_int * len(CLASSES))(*CLASSES), len(CLASSES)))
manager = ctypes.create_string_buffer(256)  # an ib_portid_t
if not port or mad.ib_resolve_smlid_via(manager, TIMEOUT_MS, port) < 0:
    sys.exit("no subnet manager found")
mad.mad_rpc_set_timeout(port, TIMEOUT_MS)

with open(sys.argv[1]) as lines:
    gids = [(SUBNET | int(line, 16)).to_bytes(16, "big") for line in lines]
record = ctypes.create_string_buffer(256)


def level_of(source, destination):
    for _ in range(TRIES):  # on a busy machine an answer can be late
        if mad.ib_path_query_via(port, source, destination, manager, record) > 0:
            return record.raw[SERVICE_LEVEL_AT] & 15
    return NO_PATH


for source in gids:
    sys.stdout.buffer.write(bytes(NO_PATH if source == destination else level_of(source, destination) for destination in gids))

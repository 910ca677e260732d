std = "lua54"
max_line_length = 100
-- The program `ria` has this as a global too.
read_globals = { "params" }
-- Messages are written as they are said.
files["tests/lua/errors_*.lua"] = { max_line_length = false }
files["tests/lua/tracer_units.lua"] = { max_line_length = false }
-- The host program of the example gives this to its scripts.
files["examples/harbour.lua"] = { read_globals = { "host" } }
-- Scenarios explain themselves in their heads.
files["scenarios"] = { max_line_length = 120 }
files["tests/validation"] = { max_line_length = 120 }

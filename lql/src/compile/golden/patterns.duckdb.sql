select concat($9::VARCHAR, coalesce(cast(to_json(r.c0) as varchar), 'null'), '}') as "row"
from (select *
from (select s0."CMDLINE" as c0
from (select "CMDLINE", "EXE_PATH"
from lw_he_processes
where account = $7::VARCHAR and t >= $5::BIGINT and t < $6::BIGINT) as s0
where (((s0."CMDLINE" ilike $1::VARCHAR)) and (regexp_full_match(s0."EXE_PATH", $2::VARCHAR)) and (not ((s0."CMDLINE" like $3::VARCHAR escape '\') or (s0."CMDLINE" like $4::VARCHAR))))) as l
limit $8::BIGINT) as r
-- 1: string %CURL%
-- 2: string /usr/(local/)?bin/.*
-- 3: string a\_%
-- 4: string %b
-- 5: bigint 1000
-- 6: bigint 2000
-- 7: string acme
-- 8: bigint 100
-- 9: string {"CMDLINE":

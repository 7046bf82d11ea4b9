select concat($9::VARCHAR, coalesce(cast(to_json(r.c0) as varchar), 'null'), '}') as "row"
from (select *
from (select s0."CMDLINE" as c0
from (select "CMDLINE", "EXE_PATH"
from lw_he_processes
where account = $3::VARCHAR and t >= $1::BIGINT and t < $2::BIGINT) as s0
where (((s0."CMDLINE" ilike $4::VARCHAR)) and (regexp_full_match(s0."EXE_PATH", $5::VARCHAR)) and (not ((s0."CMDLINE" like $6::VARCHAR escape '\') or (s0."CMDLINE" like $7::VARCHAR))))) as l
limit $8::BIGINT) as r
-- 1: bigint 1000
-- 2: bigint 2000
-- 3: string acme
-- 4: string %CURL%
-- 5: string /usr/(local/)?bin/.*
-- 6: string a\_%
-- 7: string %b
-- 8: bigint 100
-- 9: string {"CMDLINE":

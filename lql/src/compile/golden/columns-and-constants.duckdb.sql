select concat($10::VARCHAR, coalesce(cast(to_json(r.c0) as varchar), 'null'), $11::VARCHAR, coalesce(case when typeof(r.c1) = 'DOUBLE' then list_transform([cast(r.c1 as double)], lambda v3: case when trunc(v3) = v3 and try_cast(v3 as bigint) is not null then cast(try_cast(v3 as bigint) as varchar) else cast(v3 as varchar) end)[1] else cast(r.c1 as varchar) end, 'null'), $12::VARCHAR, coalesce(cast(to_json(strftime(case when r.c2 between -62135596800000 and 253402300799999 then make_timestamp_ms(r.c2) end, '%Y-%m-%dT%H:%M:%S.%gZ')) as varchar), 'null'), '}') as "row"
from (select *
from (select s0."PATH" as c0, s0."SIZE" as c1, s0."FILE_CREATED_TIME" as c2
from (select "SIZE", "PATH", "OWNER_USERNAME", "FILE_CREATED_TIME"
from lw_he_files
where account = $8::VARCHAR and t >= $6::BIGINT and t < $7::BIGINT) as s0
where ((s0."SIZE" > $1::BIGINT) and (s0."PATH" = $2::VARCHAR) and (s0."OWNER_USERNAME" in ($3::VARCHAR, $4::VARCHAR)) and (s0."FILE_CREATED_TIME" >= case when regexp_full_match($5::VARCHAR, '[0-9]{1,13}') then case when length($5::VARCHAR) = 13 then try_cast($5::VARCHAR as bigint) when length($5::VARCHAR) <= 10 then list_transform([try_cast(cast(try_cast($5::VARCHAR as bigint) as hugeint) * 1000 as bigint)], lambda v0: case when v0 between -62135596800000 and 253402300799999 then v0 end)[1] end else list_transform([regexp_extract($5::VARCHAR, '^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d+))?)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))?)?$', ['d', 'h', 'm', 's', 'f', 'g', 'y', 'z'])], lambda v1: list_transform([epoch_ms(try_cast(nullif(v1.d, '') as timestamp)) + coalesce(try_cast(v1.h as bigint), 0) * 3600000 + coalesce(try_cast(v1.m as bigint), 0) * 60000 + coalesce(try_cast(v1.s as bigint), 0) * 1000 + coalesce(try_cast(left(rpad(v1.f, 3, '0'), 3) as bigint), 0) - (coalesce(try_cast(v1.y as bigint), 0) * 3600000 + coalesce(try_cast(v1.z as bigint), 0) * 60000) * case when v1.g = '-' then -1 else 1 end], lambda v2: case when v2 between -62135596800000 and 253402300799999 then v2 end)[1])[1] end))) as l
limit $9::BIGINT) as r
-- 1: bigint 1024
-- 2: string /etc/passwd
-- 3: string root
-- 4: string daemon
-- 5: string 2024-05-01
-- 6: bigint 1000
-- 7: bigint 2000
-- 8: string acme
-- 9: bigint 100
-- 10: string {"PATH":
-- 11: string ,"SIZE":
-- 12: string ,"FILE_CREATED_TIME":

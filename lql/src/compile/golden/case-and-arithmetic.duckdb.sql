select concat($11::VARCHAR, coalesce(r.c0, 'null'), $12::VARCHAR, coalesce(cast(to_json(r.c1) as varchar), 'null'), $13::VARCHAR, coalesce(case when typeof(r.c2) = 'DOUBLE' then list_transform([cast(r.c2 as double)], lambda v5: case when trunc(v5) = v5 and try_cast(v5 as bigint) is not null then cast(try_cast(v5 as bigint) as varchar) else cast(v5 as varchar) end)[1] else cast(r.c2 as varchar) end, 'null'), '}') as "row"
from (select *
from (select list_transform([case when (s0."SIZE" is null) then case when $2::BIGINT is not null then {'w': $2::BIGINT, 'r': cast($2::BIGINT as double)} end when (s0."SIZE" > $1::BIGINT) then list_transform([list_transform([(cast(s0."SIZE" as double) / cast($3::BIGINT as double))], lambda v0: case when isfinite(v0) then v0 end)[1]], lambda v1: case when v1 is not null then {'w': cast(null as bigint), 'r': v1} end)[1] else list_transform([try(($2::BIGINT - s0."SIZE"))], lambda v2: case when v2 is not null then {'w': case when typeof(v2) <> 'DOUBLE' then try_cast(v2 as bigint) end, 'r': cast(v2 as double)} end)[1] end], lambda v3: case when struct_extract(v3, 'w') is null then list_transform([struct_extract(v3, 'r')], lambda v4: case when trunc(v4) = v4 and try_cast(v4 as bigint) is not null then cast(try_cast(v4 as bigint) as varchar) else cast(v4 as varchar) end)[1] else cast(struct_extract(v3, 'w') as varchar) end)[1] as c0, ((s0."PATH" || $4::VARCHAR) || (s0."OWNER_USERNAME")) as c1, try((try((s0."SIZE" % $5::BIGINT)) + try((s0."BLOCK_COUNT" * $6::BIGINT)))) as c2
from (select "PATH", "OWNER_USERNAME", "SIZE", "BLOCK_COUNT"
from lw_he_files
where account = $9::VARCHAR and t >= $7::BIGINT and t < $8::BIGINT) as s0) as l
limit $10::BIGINT) as r
-- 1: bigint 10
-- 2: bigint 0
-- 3: bigint 2
-- 4: string :
-- 5: bigint 7
-- 6: bigint 512
-- 7: bigint 1000
-- 8: bigint 2000
-- 9: string acme
-- 10: bigint 100
-- 11: string {"HALF":
-- 12: string ,"WHO":
-- 13: string ,"REST":

select concat($11::VARCHAR, coalesce(r.c0, 'null'), $12::VARCHAR, coalesce(cast(to_json(r.c1) as varchar), 'null'), $13::VARCHAR, coalesce(r.c2, 'null'), '}') as "row"
from (select *
from (select list_transform([case when (s0."SIZE" is null) then case when $2::BIGINT is not null then {'w': $2::BIGINT, 'r': cast($2::BIGINT as double)} end when (s0."SIZE" > $1::BIGINT) then list_transform([list_transform([(cast(s0."SIZE" as double) / cast($3::BIGINT as double))], lambda v0: case when isfinite(v0) then v0 end)[1]], lambda v2: case when v2 is not null then {'w': cast(null as bigint), 'r': v2} end)[1] else list_transform([list_transform([try((cast(0 as bigint) - s0."SIZE"))], lambda v1: case when isfinite(v1) then v1 end)[1]], lambda v3: case when v3 is not null then {'w': case when typeof(v3) <> 'DOUBLE' then try_cast(v3 as bigint) end, 'r': cast(v3 as double)} end)[1] end], lambda v8: case when struct_extract(v8, 'w') is null then list_transform([struct_extract(v8, 'r')], lambda v9: case when trunc(v9) = v9 and try_cast(v9 as bigint) is not null then cast(try_cast(v9 as bigint) as varchar) else cast(v9 as varchar) end)[1] else cast(struct_extract(v8, 'w') as varchar) end)[1] as c0, ((s0."PATH" || $4::VARCHAR) || (s0."OWNER_USERNAME")) as c1, list_transform([list_transform([{'f0': case when s0."SIZE" is not null then {'w': case when typeof(s0."SIZE") <> 'DOUBLE' then try_cast(s0."SIZE" as bigint) end, 'r': cast(s0."SIZE" as double)} end, 'f1': case when $5::BIGINT is not null then {'w': $5::BIGINT, 'r': cast($5::BIGINT as double)} end, 'f2': case when s0."BLOCK_COUNT" is not null then {'w': case when typeof(s0."BLOCK_COUNT") <> 'DOUBLE' then try_cast(s0."BLOCK_COUNT" as bigint) end, 'r': cast(s0."BLOCK_COUNT" as double)} end, 'f3': case when $6::BIGINT is not null then {'w': $6::BIGINT, 'r': cast($6::BIGINT as double)} end}], lambda v4: case when struct_extract(v4.f0, 'w') is not null and struct_extract(v4.f1, 'w') is not null and struct_extract(v4.f2, 'w') is not null and struct_extract(v4.f3, 'w') is not null then list_transform([try(((struct_extract(v4.f0, 'w') % struct_extract(v4.f1, 'w')) + (struct_extract(v4.f2, 'w') * struct_extract(v4.f3, 'w'))))], lambda v5: case when v5 is not null then {'w': v5, 'r': cast(v5 as double)} end)[1] else list_transform([list_transform([((struct_extract(v4.f0, 'r') % struct_extract(v4.f1, 'r')) + (struct_extract(v4.f2, 'r') * struct_extract(v4.f3, 'r')))], lambda v6: case when isfinite(v6) then v6 end)[1]], lambda v7: case when v7 is not null then {'w': cast(null as bigint), 'r': v7} end)[1] end)[1]], lambda v10: case when struct_extract(v10, 'w') is null then list_transform([struct_extract(v10, 'r')], lambda v11: case when trunc(v11) = v11 and try_cast(v11 as bigint) is not null then cast(try_cast(v11 as bigint) as varchar) else cast(v11 as varchar) end)[1] else cast(struct_extract(v10, 'w') as varchar) end)[1] as c2
from (select "SIZE", "PATH", "OWNER_USERNAME", "BLOCK_COUNT"
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

select concat($11::VARCHAR, coalesce(cast(to_json(r.c0) as varchar), 'null'), $12::VARCHAR, coalesce(r.c1, 'null'), '}') as "row"
from (select *
from (select distinct e1.k2 as c0, list_transform([list_transform([json_extract_string(e1.k4, $3::VARCHAR)], lambda v3: case when regexp_full_match(v3, '[ \t\n\r\f\v]*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?[ \t\n\r\f\v]*') and isfinite(try_cast(v3 as double)) then {'w': case when regexp_full_match(v3, '[ \t\n\r\f\v]*[+-]?[0-9]+[ \t\n\r\f\v]*') then try_cast(v3 as bigint) end, 'r': try_cast(v3 as double)} end)[1]], lambda v5: case when struct_extract(v5, 'w') is null then list_transform([struct_extract(v5, 'r')], lambda v6: case when trunc(v6) = v6 and try_cast(v6 as bigint) is not null then cast(try_cast(v6 as bigint) as varchar) else cast(v6 as varchar) end)[1] else cast(struct_extract(v5, 'w') as varchar) end)[1] as c1
from (select e0.k0 as k2, e0.k1 as k3, e0.i0 as k4, unnest(cast(json_extract(json_extract(e0.i0, $2::VARCHAR), '$[*]') as json[])) as i1
from (select s0."ARN" as k0, s0."RESOURCE_CONFIG" as k1, unnest(list_transform([cast(json_extract(json_extract(s0."RESOURCE_CONFIG", $1::VARCHAR), '$[*]') as json[])], lambda v0: case when len(v0) > 0 then v0 else [cast(null as json)] end)[1]) as i0
from (select "ARN", "RESOURCE_CONFIG"
from lw_cfg_aws_ec2_security_groups
where account = $9::VARCHAR and t >= $7::BIGINT and t < $8::BIGINT) as s0) as e0) as e1
where ((list_transform([json_extract_string(e1.k4, $3::VARCHAR)], lambda v2: case when regexp_full_match(v2, '[ \t\n\r\f\v]*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?[ \t\n\r\f\v]*') and isfinite(try_cast(v2 as double)) then try_cast(v2 as double) end)[1] <= cast($4::BIGINT as double)) and (json_extract_string(e1.i1, $5::VARCHAR) = $6::VARCHAR))) as l
limit $10::BIGINT) as r
-- 1: string /IpPermissions
-- 2: string /IpRanges
-- 3: string /FromPort
-- 4: bigint 22
-- 5: string /CidrIp
-- 6: string 0.0.0.0/0
-- 7: bigint 1000
-- 8: bigint 2000
-- 9: string acme
-- 10: bigint 100
-- 11: string {"ARN":
-- 12: string ,"PORT":

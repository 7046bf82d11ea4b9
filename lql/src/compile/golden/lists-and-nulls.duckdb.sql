select concat($11::VARCHAR, coalesce(cast(to_json(r.c0) as varchar), 'null'), $12::VARCHAR, coalesce(cast(r.c1 as varchar), 'null'), '}') as "row"
from (select *
from (select coalesce(s0."HOME_DIR", $9::VARCHAR) as c0, case when (json_type(s0."OTHER_GROUP_NAMES", $6::VARCHAR) in ('ARRAY')) then cast(json_array_length(s0."OTHER_GROUP_NAMES") as bigint) end as c1
from (select "OTHER_GROUP_NAMES", "HOME_DIR"
from lw_he_users
where account = $3::VARCHAR and t >= $1::BIGINT and t < $2::BIGINT) as s0
where (list_transform([cast(json_extract(s0."OTHER_GROUP_NAMES", decode(from_hex('245b2a5d'))) as json[])], lambda v0: coalesce(len(list_filter(v0, lambda v1: json_extract_string(v1, $6::VARCHAR) = $4::VARCHAR or json_extract_string(v1, $6::VARCHAR) = $5::VARCHAR)) > 0, false))[1] or (json_type(s0."OTHER_GROUP_NAMES", $7::VARCHAR) in ('NULL')) or (not (not (json_extract(s0."OTHER_GROUP_NAMES", $8::VARCHAR) is null))))) as l
limit $10::BIGINT) as r
-- 1: bigint 1000
-- 2: bigint 2000
-- 3: string acme
-- 4: string wheel
-- 5: string sudo
-- 6: string $
-- 7: string /a b
-- 8: string /x
-- 9: string none
-- 10: bigint 100
-- 11: string {"HOME":
-- 12: string ,"GROUPS":

select concat({p5:String}, ifNull(r.c0, 'null'), {p6:String}, ifNull(toJSONString(r.c1), 'null'), '}') as "row"
from (select *
from (select distinct *
from (select toString(s0."MID") as c0, s0."PATH" as c1
from (select "MID", "PATH"
from lw_he_files
where account = {p3:String} and t >= {p1:Int64} and t < {p2:Int64}) as s0
union all select toString(s1."MID") as c0, s1."USERNAME" as c1
from (select "MID", "USERNAME"
from lw_he_users
where account = {p3:String} and t >= {p1:Int64} and t < {p2:Int64}) as s1) as u) as l
limit {p4:Int64}) as r
-- 1: bigint 1000
-- 2: bigint 2000
-- 3: string acme
-- 4: bigint 100
-- 5: string {"MID":
-- 6: string ,"NAME":

select concat({p6:String}, ifNull(toJSONString(r.c0), 'null'), {p7:String}, ifNull(toJSONString(r.c1), 'null'), '}') as "row"
from (select *
from (select s0."PATH" as c0, s1."HOSTNAME" as c1
from (select "MID", "PATH"
from lw_he_files
where account = {p4:String} and t >= {p2:Int64} and t < {p3:Int64}) as s0
left join (select "OS", "MID", "HOSTNAME"
from lw_he_machines
where account = {p4:String} and t >= {p2:Int64} and t < {p3:Int64}) as s1 on s0."MID" = s1."MID"
where (s1."OS" = {p1:String})) as l
limit {p5:Int64}) as r
-- 1: string linux
-- 2: bigint 1000
-- 3: bigint 2000
-- 4: string acme
-- 5: bigint 100
-- 6: string {"PATH":
-- 7: string ,"HOSTNAME":

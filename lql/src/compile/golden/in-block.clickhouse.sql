select concat({p6:String}, ifNull(toString(r.c0), 'null'), '}') as "row"
from (select *
from (select s0."PID_HASH" as c0
from (select "MID", "USERNAME", "PID_HASH"
from lw_he_processes
where account = {p4:String} and t >= {p2:Int64} and t < {p3:Int64}) as s0
where (((s0."MID", s0."USERNAME") in (select k0, k1
from (select s1."MID" as k0, s1."USERNAME" as k1
from (select "HOME_DIR", "MID", "USERNAME"
from lw_he_users
where account = {p4:String} and t >= {p2:Int64} and t < {p3:Int64}) as s1
where (like(s1."HOME_DIR", {p1:String}))) as w
where k0 is not null and k1 is not null)) and (not if(s0."MID" is null, null, (s0."MID" in (select k0
from (select s2."MID" as k0
from (select "MID"
from lw_he_machines
where account = {p4:String} and t >= {p2:Int64} and t < {p3:Int64}) as s2) as w
where k0 is not null)))))) as l
limit {p5:Int64}) as r
-- 1: string /home/%
-- 2: bigint 1000
-- 3: bigint 2000
-- 4: string acme
-- 5: bigint 100
-- 6: string {"PID_HASH":

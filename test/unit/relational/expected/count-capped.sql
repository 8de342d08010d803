-- filter[name]=a
-- postgresql, data: ["a"]
select "articles"."id", "articles"."name" from "articles" as "articles" where "articles"."name" = $1 order by "articles"."id" asc limit 10;
-- postgresql, count: ["a"]
select count(*) from (select 1 from "articles" as "articles" where "articles"."name" = $1 limit 101) as counted;
-- mysql, data: ["a"]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where `articles`.`name` = ? order by `articles`.`id` asc limit 10;
-- mysql, count: ["a"]
select count(*) from (select 1 from `articles` as `articles` where `articles`.`name` = ? limit 101) as counted;
-- sqlite, data: ["a", 10]
select "articles"."id", "articles"."name" from "articles" as "articles" where "articles"."name" = ? order by "articles"."id" asc limit +?;
-- sqlite, count: ["a", 101]
select count(*) from (select 1 from "articles" as "articles" where "articles"."name" = ? limit +?) as counted;

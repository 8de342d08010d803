-- (nothing asked)
-- postgresql, data: []
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."id" asc limit 10;
-- postgresql, count: []
select count(*) from "articles" as "articles";
-- mysql, data: []
select `articles`.`id`, `articles`.`name` from `articles` as `articles` order by `articles`.`id` asc limit 10;
-- mysql, count: []
select count(*) from `articles` as `articles`;
-- sqlite, data: [10]
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."id" asc limit +?;
-- sqlite, count: []
select count(*) from "articles" as "articles";

-- page=3&perPage=5
-- postgresql, data: [10]
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."id" asc limit 5 offset $1;
-- postgresql, count: []
select count(*) from "articles" as "articles";
-- mysql, data: [10]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` order by `articles`.`id` asc limit 5 offset ?;
-- mysql, count: []
select count(*) from `articles` as `articles`;
-- sqlite, data: [5, 10]
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."id" asc limit +? offset ?;
-- sqlite, count: []
select count(*) from "articles" as "articles";

-- paginate=false
-- postgresql, data: []
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."id" asc limit 501;
-- mysql, data: []
select `articles`.`id`, `articles`.`name` from `articles` as `articles` order by `articles`.`id` asc limit 501;
-- sqlite, data: [501]
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."id" asc limit +?;

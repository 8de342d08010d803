-- filter[name]=a&page=2
-- postgresql, data: ["a", 10]
select "articles"."id", "articles"."name" from "articles" as "articles" where "articles"."name" = $1 order by "articles"."id" asc limit 11 offset $2;
-- mysql, data: ["a", 10]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where `articles`.`name` = ? order by `articles`.`id` asc limit 11 offset ?;
-- sqlite, data: ["a", 11, 10]
select "articles"."id", "articles"."name" from "articles" as "articles" where "articles"."name" = ? order by "articles"."id" asc limit +? offset ?;

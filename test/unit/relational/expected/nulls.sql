-- filter[stock][isNull]=true&filter[changedAt][isNull]=false
-- postgresql, data: []
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."stock" is null and "articles"."changed_at" is not null) order by "articles"."id" asc limit 10;
-- postgresql, count: []
select count(*) from "articles" as "articles" where ("articles"."stock" is null and "articles"."changed_at" is not null);
-- mysql, data: []
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where (`articles`.`stock` is null and `articles`.`changed_at` is not null) order by `articles`.`id` asc limit 10;
-- mysql, count: []
select count(*) from `articles` as `articles` where (`articles`.`stock` is null and `articles`.`changed_at` is not null);
-- sqlite, data: [10]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."stock" is null and "articles"."changed_at" is not null) order by "articles"."id" asc limit +?;
-- sqlite, count: []
select count(*) from "articles" as "articles" where ("articles"."stock" is null and "articles"."changed_at" is not null);

-- sort=name,-price,code
-- postgresql, data: []
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."name" asc, "articles"."price" desc, "articles"."code_order" asc nulls first, "articles"."id" asc limit 10;
-- postgresql, count: []
select count(*) from "articles" as "articles";
-- mysql, data: []
select `articles`.`id`, `articles`.`name` from `articles` as `articles` order by `articles`.`name` asc, `articles`.`price` desc, `articles`.`code_order` asc, `articles`.`id` asc limit 10;
-- mysql, count: []
select count(*) from `articles` as `articles`;
-- sqlite, data: [10]
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."name" asc, "articles"."price" desc, "articles"."code_order" asc, "articles"."id" asc limit +?;
-- sqlite, count: []
select count(*) from "articles" as "articles";

-- sort=changedAt
-- postgresql, data: []
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."changed_at" asc nulls first, "articles"."id" asc limit 10;
-- postgresql, count: []
select count(*) from "articles" as "articles";
-- mysql, data: []
select `articles`.`id`, `articles`.`name` from `articles` as `articles` order by `articles`.`changed_at` asc, `articles`.`id` asc limit 10;
-- mysql, count: []
select count(*) from `articles` as `articles`;
-- sqlite, data: [10]
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."changed_at" asc, "articles"."id" asc limit +?;
-- sqlite, count: []
select count(*) from "articles" as "articles";

-- sort=-changedAt
-- postgresql, data: []
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."changed_at" desc nulls last, "articles"."id" desc limit 10;
-- postgresql, count: []
select count(*) from "articles" as "articles";
-- mysql, data: []
select `articles`.`id`, `articles`.`name` from `articles` as `articles` order by `articles`.`changed_at` desc, `articles`.`id` desc limit 10;
-- mysql, count: []
select count(*) from `articles` as `articles`;
-- sqlite, data: [10]
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."changed_at" desc, "articles"."id" desc limit +?;
-- sqlite, count: []
select count(*) from "articles" as "articles";

-- sort=-stock
-- postgresql, data: []
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."stock" desc nulls last, "articles"."id" desc limit 10;
-- postgresql, count: []
select count(*) from "articles" as "articles";
-- mysql, data: []
select `articles`.`id`, `articles`.`name` from `articles` as `articles` order by `articles`.`stock` desc, `articles`.`id` desc limit 10;
-- mysql, count: []
select count(*) from `articles` as `articles`;
-- sqlite, data: [10]
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."stock" desc, "articles"."id" desc limit +?;
-- sqlite, count: []
select count(*) from "articles" as "articles";

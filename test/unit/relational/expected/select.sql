-- fields=id,serial,price,changedAt,extra,code
-- postgresql, data: []
select "articles"."id", "articles"."serial", "articles"."price", "articles"."changed_at", "articles"."extra", "articles"."code" from "articles" as "articles" order by "articles"."id" asc limit 10;
-- postgresql, count: []
select count(*) from "articles" as "articles";
-- mysql, data: []
select `articles`.`id`, cast(`articles`.`serial` as char(70)), `articles`.`price`, `articles`.`changed_at`, cast(`articles`.`extra` as char), `articles`.`code` from `articles` as `articles` order by `articles`.`id` asc limit 10;
-- mysql, count: []
select count(*) from `articles` as `articles`;
-- sqlite, data: [10]
select "articles"."id", cast("articles"."serial" as text), "articles"."price", "articles"."changed_at", "articles"."extra", "articles"."code" from "articles" as "articles" order by "articles"."id" asc limit +?;
-- sqlite, count: []
select count(*) from "articles" as "articles";

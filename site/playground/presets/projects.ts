/** Groups, values over relations, and lists within the rows of a list. */

import type { Preset } from './preset.ts';

export const projects: Preset = {
  name: 'projects',
  title: 'Projects: groups, counts, included lists',
  tables: `create table projects (
  id integer primary key,
  name text not null,
  archived boolean not null
);
create table people (
  id integer primary key,
  name text not null
);
create table tasks (
  id integer primary key,
  title text not null,
  state text not null,
  hours integer,
  due date,
  project_id integer not null references projects (id),
  owner_id integer references people (id)
);
create index tasks_of_project on tasks (project_id, due, id);

insert into projects values (1, 'Bridge', false), (2, 'Canal', false), (3, 'Dam', true), (4, 'Lock', false);
insert into people values (1, 'Amina'), (2, 'Bo'), (3, 'Chen');
insert into tasks values
  (1, 'Survey the site', 'done', 16, '2026-02-01', 1, 1),
  (2, 'Order steel', 'open', 4, '2026-03-10', 1, 2),
  (3, 'Pour the piers', 'open', 80, '2026-05-20', 1, null),
  (4, 'Paint', 'blocked', null, null, 1, 3),
  (5, 'Dig', 'open', 200, '2026-04-01', 2, 2),
  (6, 'Line the banks', 'open', 120, '2026-06-15', 2, 3),
  (7, 'Close the gates', 'done', 8, '2025-12-01', 3, 1),
  (8, 'Measure', 'blocked', 6, '2026-03-01', 2, 1);
`,
  rules: `{
  projects: {
    groups: { depth: 3, terms: 10 },
    quantifiers: ['tasks'],
    aggregates: {
      tasks: {
        count: true,
        sum: ['hours'],
        max: ['due'],
        where: { open: { type: 'condition', path: 'state', operator: 'eq', value: 'open' } },
      },
    },
    filters: [
      { path: 'name', operators: ['eq', 'ilike'] },
      { path: 'archived', operators: ['eq'] },
      { path: 'tasks.state', operators: ['eq', 'in'] },
      { path: 'tasks.hours', operators: ['gte', 'isNull'] },
      { path: 'tasks.$count.open', operators: ['eq', 'gte'] },
    ],
    sorts: ['name', 'tasks.$count', 'tasks.$sum.hours'],
    includes: ['tasks', 'tasks.owner'],
    children: {
      tasks: {
        filters: [{ path: 'state', operators: ['eq', 'in'] }],
        sorts: ['due', 'hours'],
        maxPerPage: 20,
      },
    },
    fields: {
      root: {
        allowed: ['id', 'name', 'archived', 'tasks.$count', 'tasks.$count.open', 'tasks.$sum.hours', 'tasks.$max.due'],
        default: ['id', 'name'],
      },
      relations: {
        tasks: { allowed: ['id', 'title', 'state', 'hours', 'due'], default: ['title', 'state', 'due'] },
        'tasks.owner': { allowed: ['name'], default: ['name'] },
      },
    },
  },
}
`,
  requests: [
    {
      title: 'Counts and sums',
      list: 'projects',
      query: 'fields=id,name,tasks.$count.open,tasks.$sum.hours&sort=-tasks.$sum.hours',
    },
    {
      title: 'Alternatives, and a negation',
      list: 'projects',
      query:
        'filter[$or][0][name][ilike]=br&filter[$or][1][tasks.$count.open][gte]=2&filter[$not][archived]=true',
    },
    {
      title: 'The next open tasks of each project',
      list: 'projects',
      query:
        'include[tasks][filter][state]=open&include[tasks][sort]=due&include[tasks][perPage]=1&includes=tasks.owner',
    },
    {
      title: 'No task that is open',
      list: 'projects',
      query: 'filter[tasks][$none][state]=open&sort=name',
    },
    {
      title: 'Beyond the depth of groups',
      list: 'projects',
      query: 'filter[$not][$not][$not][$not][archived]=true',
    },
  ],
};

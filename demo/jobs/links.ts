/** The boards of the demo, which each other's page shows as well. */

export const demoBoards = [
  { title: 'BullMQ', basePath: '/bullmq', engine: 'kvq' },
  { title: 'pg-boss', basePath: '/pg-boss', engine: 'pgq' },
] as const;

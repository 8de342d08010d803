/** The boards of the demo, which each other's page shows as well, and the way back to its lists. */

export const demoBoards = [
  { title: 'BullMQ', basePath: '/bullmq', engine: 'kvq' },
  { title: 'pg-boss', basePath: '/pg-boss', engine: 'pgq' },
] as const;

export const demoLinks = [{ text: 'List requests', url: '/' }] as const;

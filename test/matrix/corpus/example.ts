/** The example of the design documents. */

import { body } from './case.ts';
import type { CorpusCase } from './case.ts';

export const example: readonly CorpusCase[] = [
  body(
    'example',
    'the example of the design documents',
    '?filter[age][gte]=18&sort=-createdAt&includes=company&page=2',
    {
      data: [
        {
          id: 53,
          name: 'Bragança Paulista',
          age: 21,
          createdAt: '2024-05-14T12:00:00.500Z',
          company: { id: 4, name: 'Initech' },
        },
        {
          id: 33,
          name: 'Angstrom',
          age: 41,
          createdAt: '2024-05-14T12:00:00.001Z',
          company: { id: 5, name: 'Umbrella 100%' },
        },
        {
          id: 32,
          name: 'Ångström',
          age: 34,
          createdAt: '2024-05-13T12:00:00.001Z',
          company: { id: 4, name: 'Initech' },
        },
        {
          id: 51,
          name: 'Siglufjörður',
          age: 47,
          createdAt: '2024-05-12T12:00:00.500Z',
          company: { id: 2, name: 'acme' },
        },
        {
          id: 31,
          name: 'Ὀδυσσεύς',
          age: 27,
          createdAt: '2024-05-12T12:00:00.001Z',
          company: { id: 3, name: 'Ölwerke' },
        },
        {
          id: 50,
          name: '1e3',
          age: 40,
          createdAt: '2024-05-11T12:00:00.500Z',
          company: { id: 1, name: 'Acme' },
        },
        {
          id: 10,
          name: '100%',
          age: 40,
          createdAt: '2024-05-11T12:00:00.000Z',
          company: { id: 3, name: 'Ölwerke' },
        },
        { id: 49, name: '00', age: 33, createdAt: '2024-05-10T12:00:00.500Z', company: null },
        {
          id: 9,
          name: '',
          age: 33,
          createdAt: '2024-05-10T12:00:00.000Z',
          company: { id: 2, name: 'acme' },
        },
        { id: 28, name: 'ISPARTA', age: 46, createdAt: '2024-05-09T12:00:00.001Z', company: null },
      ],
      page: 2,
      perPage: 10,
      total: 40,
      lastPage: 4,
    },
  ),
];

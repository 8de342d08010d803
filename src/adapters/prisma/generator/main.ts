#!/usr/bin/env node
/** The `sluice-prisma` command, which Prisma starts for `generator sluice { provider = "sluice-prisma" }`. */

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Datamodel, SchemaError } from './dmmf.ts';
import { generateModule } from './generate.ts';
import { answerRequests } from './protocol.ts';

/** The part of Prisma's generate request that is used. */
interface GenerateParams {
  readonly generator: {
    readonly output: { readonly value: string | null } | null;
    readonly config: { readonly [setting: string]: string | readonly string[] | undefined };
  };
  readonly datasources: readonly { readonly activeProvider: string }[];
  readonly dmmf: { readonly datamodel: Datamodel };
}

const text = (setting: string | readonly string[] | undefined): string | undefined =>
  typeof setting === 'string' ? setting : setting?.[0];

async function generate(params: unknown): Promise<void> {
  const { generator, datasources, dmmf } = params as GenerateParams;
  const output = generator.output?.value;
  const provider = datasources[0]?.activeProvider;
  if (!output || !provider) {
    throw new SchemaError('The generator needs an output, and the schema a datasource.');
  }
  const { importFrom, timestamps } = generator.config;
  const config = { importFrom: text(importFrom), timestamps: text(timestamps) };
  const written = generateModule(provider, dmmf.datamodel, config);
  await mkdir(path.dirname(output), { recursive: true });
  await writeFile(output, written);
}

await answerRequests(
  {
    getManifest: () => ({
      manifest: { prettyName: 'Sluice registry', defaultOutput: './sluice.ts' },
    }),
    generate,
  },
  process.stdin,
  process.stderr,
);

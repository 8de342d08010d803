/** The workflows of GitHub: pinned actions, few rights, and a release with what the documents say. */

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from './package.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly uses?: string;
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
  readonly 'timeout-minutes'?: number;
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const folder = path.join(root, '.github');
const textOf = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
const workflows = readdirSync(path.join(folder, 'workflows')).map((name) => `workflows/${name}`);
const workflowOf = (file: string): Workflow => parse(textOf(file)) as Workflow;

describe.each(workflows)('%s', (file) => {
  const { permissions, jobs } = workflowOf(file);

  it('names each action by a commit, and the version beside it', () => {
    const all = [...textOf(file).matchAll(/^ *-? *uses: (.*)$/gm)].map(([, action]) => action);
    expect(all.length).toBeGreaterThan(0);
    for (const action of all) {
      expect(action).toMatch(/^(\.\/\.github\/workflows\/[\w.]+|[\w/-]+@[0-9a-f]{40} # v[\d.]+)$/);
    }
  });

  it('has rights to read alone, but for jobs that say more', () => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const { permissions: own, steps = [] } of Object.values(jobs)) {
      // A job that can write runs no code of dependencies outside of an image.
      if (!own || !Object.values(own).includes('write')) continue;
      for (const { run = '' } of steps) expect(run).not.toMatch(/npm (ci|install|run|exec)|npx/);
    }
  });

  it('ends jobs that hang, and leaves no credentials to their steps', () => {
    for (const { uses, steps = [], ...job } of Object.values(jobs)) {
      if (uses === undefined) expect(job['timeout-minutes']).toBeGreaterThan(0);
      for (const step of steps.filter((each) => each.uses?.startsWith('actions/checkout'))) {
        expect(step.with).toMatchObject({ 'persist-credentials': false });
      }
    }
  });

  // Texts that others choose, such as titles, would be run as a part of the script.
  it('puts no expression into a script', () => {
    for (const { steps = [] } of Object.values(jobs)) {
      for (const { run = '' } of steps) {
        expect(
          run.replaceAll('${{ matrix.image }}', '').replaceAll('${{ matrix.command }}', ''),
        ).not.toContain('${{');
      }
    }
  });
});

describe('a release', () => {
  const { jobs } = workflowOf('workflows/release.yml');

  it('publishes after the tests, and tells of it last', () => {
    expect([jobs['publish']?.needs, jobs['image']?.needs, jobs['notes']?.needs]).toEqual([
      ['test', 'pack'],
      ['test', 'pack'],
      ['publish', 'image'],
    ]);
  });

  it('has an image with a statement of provenance', () => {
    const build = jobs['image']?.steps?.find(({ uses }) => uses?.startsWith('docker/build-push'));
    expect(build?.with).toMatchObject({ provenance: 'mode=max', sbom: true });
    const values = readFileSync(path.join(root, 'charts/sluice/values.yaml'), 'utf8');
    expect(parse(values)).toMatchObject({ image: { repository: 'ghcr.io/sluicejs/sluice-board' } });
  });
});

it.each(['bug', 'feature'])('the issue template %s is complete', (name) => {
  const { body, ...about } = parse(textOf(`ISSUE_TEMPLATE/${name}.yml`)) as {
    readonly body: readonly {
      readonly type: string;
      readonly id: string;
      readonly attributes: { readonly label: string };
    }[];
  };
  expect(about).toMatchObject({ name: expect.any(String), description: expect.any(String) });
  expect(new Set(body.map(({ id }) => id)).size).toBe(body.length);
  for (const { attributes } of body) expect(attributes.label).not.toBe('');
});

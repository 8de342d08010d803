/** The deployments of the host, for marks beside what its queues did. */

import {
  ListDeploymentsResponse,
  mostDeployments,
  type metricsRoutes,
} from '../../contract/index.ts';
import type { Handler } from '../engine.ts';
import { answered } from './handlers.ts';

/** A release that was deployed. */
export interface Deployment {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** The name of the release, of 1 to 200 characters. */
  readonly release: string;
}

/**
 * Tells the deployments from one moment to another, both in milliseconds since 1970, in any order; others are left out.
 * One that throws or rejects causes a 500 response, and one that takes longer than ten seconds 503.
 */
export type Deployments = (
  from: number,
  to: number,
) => readonly Deployment[] | Promise<readonly Deployment[]>;

const told = ListDeploymentsResponse.shape.deployments;

/** The handler of the deployments that the host tells, the last ones of a range. */
export const deploymentHandlers = (
  deployments: Deployments,
): { readonly listDeployments: Handler<(typeof metricsRoutes)['listDeployments']> } => ({
  async listDeployments({ query: { from, to } }) {
    const within = told
      .parse(await answered((async () => deployments(from, to))()))
      .filter(({ at }) => at >= from && at <= to);
    return {
      deployments: within.toSorted((left, right) => left.at - right.at).slice(-mostDeployments),
    };
  },
});

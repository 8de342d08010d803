/** Failures of the API: a stable key with its options, never prose of the server. */

export interface Failure {
  /** HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** Key without `ERRORS.`. */
  readonly key: string;
  readonly options?: Readonly<Record<string, unknown>>;
  /** A more specific message: a key, or text of a parser. */
  readonly message?: string | { readonly key: string; readonly options?: Record<string, unknown> };
  readonly code?: string;
  readonly details?: string;
  /** Seconds after which to ask again. */
  readonly retryAfter?: number;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.key);
    this.failure = failure;
  }
}

interface ErrorBody {
  readonly error?: { readonly key?: string; readonly options?: Record<string, unknown> };
  readonly message?: Failure['message'];
  readonly code?: string;
  readonly details?: string;
}

const bare = (key: string): string => key.replace(/^ERRORS\./, '');

/** Keys of answers without one, such as those of a proxy whose board does not answer. */
const keys: Readonly<Record<number, string>> = {
  401: 'UNAUTHORIZED',
  502: 'UNREACHABLE',
  503: 'UNREACHABLE',
  504: 'UNREACHABLE',
};

/** The failure that an answer describes. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as ErrorBody;
  const seconds = Number(response.headers.get('retry-after'));
  return new ApiError({
    status: response.status,
    key: bare(body.error?.key ?? keys[response.status] ?? 'UNKNOWN'),
    ...(body.error?.options && { options: body.error.options }),
    ...(body.message !== undefined && { message: body.message }),
    ...(body.code !== undefined && { code: body.code }),
    ...(body.details !== undefined && { details: body.details }),
    ...(seconds > 0 && { retryAfter: seconds }),
  });
}

/** The failure of anything thrown. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) return error.failure;
  return { status: 0, key: 'UNKNOWN', details: error instanceof Error ? error.message : '' };
}

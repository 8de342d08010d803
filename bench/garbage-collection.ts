/** Makes `gc` global, as `--expose-gc` does, so that figures do not depend on how the benchmark was started. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
globalThis.gc ??= runInNewContext('gc') as NonNullable<typeof globalThis.gc>;

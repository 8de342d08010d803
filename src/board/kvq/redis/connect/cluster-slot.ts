/** Computes the Redis cluster slot of a key: CRC16 (XMODEM) of its hash tag, modulo 16384. */

const encoder = new TextEncoder();

function hashTag(key: string): string {
  const open = key.indexOf('{');
  if (open < 0) return key;
  const close = key.indexOf('}', open + 1);
  return close > open + 1 ? key.slice(open + 1, close) : key;
}

/** The slot of a key, 0 to 16383. */
export function clusterSlot(key: string): number {
  let crc = 0;
  for (const byte of encoder.encode(hashTag(key))) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
    }
  }
  return crc % 16_384;
}

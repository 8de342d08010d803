/** The logo of Sluice. */

/** A sluice gate: water held back, and let through. */
export function Logo() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <rect x="1" y="2" width="3" height="16" rx="1" fill="currentColor" />
      <rect x="16" y="2" width="3" height="16" rx="1" fill="currentColor" />
      <path d="M5.500 4h9v5.500h-9z" fill="currentColor" opacity="0.45" />
      <path
        d="M5 13.200c1.300-1.400 2.600-1.400 3.800 0s2.600 1.400 3.800 0 2-1.100 2.400-.6M5 16.600c1.300-1.400 2.600-1.400 3.800 0s2.600 1.400 3.800 0 2-1.100 2.400-.6"
        fill="none"
        stroke="var(--accent)"
        strokeWidth="1.600"
        strokeLinecap="round"
      />
    </svg>
  );
}

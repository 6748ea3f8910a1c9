/** The mark of Heddle: threads, and the eye that one of them runs through. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden>
      <rect width="24" height="24" rx="6" fill="var(--accent)" />
      <path d="M7 5v14M17 5v14M12 5v3.2M12 15.8V19" stroke="var(--sheet)" strokeWidth="1.8" strokeLinecap="round" />
      <ellipse cx="12" cy="12" rx="2.3" ry="3.8" stroke="var(--sheet)" strokeWidth="1.8" />
    </svg>
  )
}

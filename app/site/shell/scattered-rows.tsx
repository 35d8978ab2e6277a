/** Table cells scattered outside of their rows. */
export function ScatteredRows() {
  return (
    <svg viewBox="0 0 640 180" aria-hidden="true" className="mt-14 w-full max-w-2xl text-line sm:mt-20">
      <g fill="none" stroke="currentColor" strokeWidth="1.5">
        <path d="M.75 60.5h638.5M.75 100.5h638.5M.75 140.5h638.5" strokeDasharray="4 6" />
      </g>
      <g className="fill-line">
        <rect x="8" y="69" width="130" height="22" rx="4" />
        <rect x="168" y="69" width="90" height="22" rx="4" />
        <rect x="8" y="109" width="98" height="22" rx="4" />
        <rect x="168" y="109" width="110" height="22" rx="4" />
        <rect x="318" y="109" width="70" height="22" rx="4" />
        <rect x="468" y="69" width="120" height="22" rx="4" />
        <rect x="468" y="109" width="84" height="22" rx="4" />
      </g>
      <rect x="330" y="22" width="88" height="22" rx="4" transform="rotate(-11 374 33)" className="fill-grain" />
      <rect
        x="318.75"
        y="69.75"
        width="88.5"
        height="20.5"
        rx="4"
        fill="none"
        strokeWidth="1.5"
        strokeDasharray="4 4"
        className="stroke-edge"
      />
    </svg>
  )
}

import { identity } from '#app/content/identity.ts'
import { currentSettings, siteFileUrl } from '#app/content/settings/live.ts'

/** Scattered on the left, rows on the right. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5 font-display text-[1.375rem] in-[.rail]:text-[1.125rem] leading-none font-semibold tracking-tight">
      <Mark />
      {identity.name}
    </span>
  )
}

function Mark() {
  const logo = currentSettings().branding?.logo
  if (logo) return <img src={siteFileUrl(logo)} alt="" width="28" height="24" className="h-6 w-auto max-w-24 shrink-0 object-contain" />
  return (
    <svg viewBox="0 0 28 24" aria-hidden="true" className="h-6 w-7 shrink-0">
      <g className="fill-muted">
        <circle cx="2" cy="7.5" r="1.5" />
        <circle cx="6.5" cy="3.5" r="1.5" />
        <circle cx="7" cy="11" r="1.5" />
        <circle cx="2.5" cy="15.5" r="1.5" />
        <circle cx="6.5" cy="20" r="1.5" />
      </g>
      <g className="fill-ink">
        <rect x="11.5" y="1.5" width="16" height="4.5" rx="1.5" />
        <rect x="11.5" y="17.5" width="16" height="4.5" rx="1.5" />
      </g>
      <rect x="11.5" y="9.5" width="16" height="4.5" rx="1.5" className="fill-grain" />
    </svg>
  )
}

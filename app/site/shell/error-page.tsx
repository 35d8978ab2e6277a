import { isRouteErrorResponse } from 'react-router'
import { z } from 'zod/mini'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Page } from '#app/ui/page.tsx'
import { errorTexts, ourMistake } from '#app/content/error-texts.ts'
import { shell } from '#app/content/shell.ts'
import { problem } from '#app/platform/errors/problem.ts'

/** By its shape: after a navigation in the browser, React Router has a `Stop` as a plain object. */
const withWayOut = z.object({ extra: z.pick(problem, { wayOut: true }) })

/** The document title of an error. */
export function errorTitle(error: unknown): string {
  return textOf(error).title
}

/** The page for every error. It never shows the message of a bug. */
export function ErrorPage({ error }: { error: unknown }) {
  const { status, title, text, sentence } = textOf(error)
  const wayOut = withWayOut.safeParse(error).data?.extra.wayOut
  return (
    <Page title={title} eyebrow={`HTTP ${status}`} intro={sentence ?? text}>
      <div className="flex flex-wrap gap-3">
        {wayOut && <ButtonLink to={wayOut.url}>{wayOut.label}</ButtonLink>}
        <ButtonLink to="/" {...(wayOut && { look: 'quiet' })}>
          {shell.goHome}
        </ButtonLink>
        <ButtonLink to="/services" look="quiet">
          {shell.seeServices}
        </ButtonLink>
        <ButtonLink to="/contact" look="quiet">
          {shell.contact}
        </ButtonLink>
      </div>
      <ScatteredRows />
    </Page>
  )
}

function textOf(error: unknown) {
  if (!isRouteErrorResponse(error) || error.status === 500) return { status: 500, ...ourMistake, sentence: undefined }
  const { status, statusText: title } = error
  return { status, ...(errorTexts[status] ?? { ...ourMistake, title }), sentence: status === 404 ? undefined : sentenceOf(error) }
}

/** Returns the product's own error text. React Router's own texts are for developers. */
function sentenceOf(error: { data: unknown; internal?: unknown }): string | undefined {
  return error.internal === true || typeof error.data !== 'string' ? undefined : error.data
}

/** Table cells scattered outside of their rows. */
function ScatteredRows() {
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

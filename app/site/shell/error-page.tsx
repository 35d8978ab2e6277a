import { isRouteErrorResponse } from 'react-router'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Page } from '#app/ui/page.tsx'
import { errorTexts, ourMistake } from '#app/content/error-texts.ts'
import { shell } from '#app/content/shell.ts'
import { ScatteredRows } from './scattered-rows.tsx'

/** The document title of an error. */
export function errorTitle(error: unknown): string {
  return textOf(error).title
}

/** The page for every error. It never shows the message of a bug. */
export function ErrorPage({ error }: { error: unknown }) {
  const { status, title, text, sentence } = textOf(error)
  return (
    <Page title={title} eyebrow={`HTTP ${status}`} intro={sentence ?? text}>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to="/">{shell.goHome}</ButtonLink>
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

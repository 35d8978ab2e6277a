import { ButtonLink } from '#app/ui/button-link.tsx'
import { Page } from '#app/ui/page.tsx'
import { contactTexts } from './content/contact.ts'
import { announcements, inPreparation } from './content/in-preparation.ts'
import { pageMeta } from './content/page-meta.ts'
import { shell } from './content/shell.ts'
import type { Route } from './+types/in-preparation.page.ts'

export function meta({ location }: Route.MetaArgs) {
  return pageMeta({ title: announcementAt(location.pathname).title, index: false })
}

/** One page for every address that is known before its content is ready. */
export default function InPreparationPage({ matches }: Route.ComponentProps) {
  const { title, text } = announcementAt(matches.at(-1)?.pathname ?? '/')
  return (
    <Page title={title} eyebrow={inPreparation.title} intro={text}>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to="/contact">{contactTexts.title}</ButtonLink>
        <ButtonLink to="/" look="quiet">
          {shell.goHome}
        </ButtonLink>
      </div>
    </Page>
  )
}

function announcementAt(path: string) {
  return announcements[path.replace(/\/+$/, '')] ?? inPreparation
}

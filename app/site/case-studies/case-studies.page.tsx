import type { Handle } from '#app/access.server.ts'
import { href } from 'react-router'
import { caseStudiesText, shownCaseStudies } from '#app/content/case-studies.ts'
import { headOf } from '#app/content/seo.ts'
import { ClosingCall } from '#app/ui/closing-call.tsx'
import type { Route } from './+types/case-studies.page.ts'
import { CaseStudySection } from './case-study.tsx'

export const handle = { access: 'public', cache: true } satisfies Handle

/** The texts are Markdown. Only this page needs the parser. */
export async function loader() {
  const { storyTexts } = await import('./story-text.server.ts')
  return { texts: await storyTexts() }
}

export const meta = () => headOf('/case-studies')

export default function CaseStudiesPage({ loaderData: { texts } }: Route.ComponentProps) {
  const { closing } = caseStudiesText
  return (
    <div className="wrap py-10 sm:py-20 lg:py-24">
      <header className="grid gap-6 sm:gap-10 lg:grid-cols-12 lg:items-end">
        <div className="grid gap-4 lg:col-span-7">
          <p className="eyebrow">{caseStudiesText.eyebrow}</p>
          <h1>{caseStudiesText.title}</h1>
          <p className="max-w-[60ch] text-lead text-muted">{caseStudiesText.introduction}</p>
        </div>
        <nav aria-label={caseStudiesText.eyebrow} className="lg:col-span-5 print:hidden">
          <ol>
            {shownCaseStudies().map(({ slug, category, results: [first] }) => (
              <li key={slug} className="border-t border-line last:border-b">
                <a href={`#${slug}`} className="group flex min-h-13 items-center justify-between gap-4 py-2">
                  <span className="text-small font-medium group-hover:underline">{category}</span>
                  <span className="font-mono text-small text-muted">{first?.value}</span>
                </a>
              </li>
            ))}
          </ol>
        </nav>
      </header>
      <div className="sm:mt-8">
        {shownCaseStudies().map((story) => (
          <CaseStudySection key={story.slug} story={story} html={texts[story.slug] ?? ''} />
        ))}
      </div>
      <ClosingCall
        title={closing.title}
        text={closing.text}
        ways={[
          { to: href('/contact'), label: closing.contact },
          { to: href('/services'), label: closing.services },
        ]}
      />
    </div>
  )
}

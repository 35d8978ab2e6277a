import type { Handle } from '#app/access.server.ts'
import { href } from 'react-router'
import { caseStudies, caseStudiesText } from '#app/content/case-studies.ts'
import { headOf } from '#app/content/seo.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { CaseStudySection } from './case-study.tsx'

export const handle = { access: 'public', cache: true } satisfies Handle

export const meta = () => headOf('/case-studies')

export default function CaseStudiesPage() {
  return (
    <div className="wrap py-14 sm:py-20 lg:py-24">
      <header className="grid gap-10 lg:grid-cols-12 lg:items-end">
        <div className="grid gap-4 lg:col-span-7">
          <p className="eyebrow">{caseStudiesText.eyebrow}</p>
          <h1>{caseStudiesText.title}</h1>
          <p className="max-w-[60ch] text-lead text-muted">{caseStudiesText.introduction}</p>
        </div>
        <nav aria-label={caseStudiesText.eyebrow} className="lg:col-span-5 print:hidden">
          <ol>
            {caseStudies.map(({ slug, category, results: [first] }) => (
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
      <div className="mt-8">
        {caseStudies.map((story) => (
          <CaseStudySection key={story.slug} story={story} />
        ))}
      </div>
      <section className="rounded-card bg-sunken p-8 sm:p-12 lg:p-16 print:hidden">
        <h2 className="max-w-[22ch]">{caseStudiesText.closing.title}</h2>
        <p className="mt-3 max-w-[56ch] text-muted">{caseStudiesText.closing.text}</p>
        <div className="mt-8 flex flex-wrap gap-3">
          <ButtonLink to={href('/contact')} size="large">
            {caseStudiesText.closing.contact}
          </ButtonLink>
          <ButtonLink to={href('/services')} look="quiet" size="large">
            {caseStudiesText.closing.services}
          </ButtonLink>
        </div>
      </section>
    </div>
  )
}

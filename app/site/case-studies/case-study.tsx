import { caseStudiesText } from '#app/content/case-studies.ts'
import type { CaseStudy, Result } from '#app/content/case-study.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Card } from '#app/ui/card.tsx'
import { Fold } from '#app/ui/fold.tsx'
import { CaseStudyChart } from './case-study-chart.tsx'

/** One case study: the problem, the system, its results. `html` is its text. A part without content is left out. */
export function CaseStudySection({ story, html }: { story: CaseStudy; html: string }) {
  return (
    <article
      id={story.slug}
      aria-labelledby={`${story.slug}-title`}
      className="border-t border-line py-10 first:border-t-0 sm:py-24 print:py-8 print:not-first:break-before-page"
    >
      <header className="grid max-w-3xl gap-4">
        <p className="eyebrow">{story.category}</p>
        <h2 id={`${story.slug}-title`}>{story.title}</h2>
        {story.summary && <p className="text-lead text-muted">{story.summary}</p>}
      </header>
      {story.results.length > 0 && <CaseStudyResults results={story.results} />}
      {(html || hasFacts(story)) && <Details story={story} html={html} />}
    </article>
  )
}

function Details({ story, html }: { story: CaseStudy; html: string }) {
  return (
    <Fold
      summary={
        <span className="font-semibold">
          {caseStudiesText.open}
          <span className="sr-only">: {story.category}</span>
        </span>
      }
    >
      <div className="grid gap-x-12 gap-y-12 pt-6 sm:pt-0 lg:grid-cols-12">
        {hasFacts(story) && <Facts story={story} />}
        <div className="grid content-start gap-10 lg:col-span-8">
          {/* Sanitized on the server (story-text.server.ts). */}
          {html && <div className="prose [&_h3]:text-h3!" dangerouslySetInnerHTML={{ __html: html }} />}
          {story.chart && <CaseStudyChart chart={story.chart} />}
        </div>
      </div>
    </Fold>
  )
}

function hasFacts({ industry, client, technologies, timeline: { phases } }: CaseStudy): boolean {
  return Boolean(industry || client) || technologies.length > 0 || phases.length > 0
}

function Facts({ story: { industry, client, technologies, timeline } }: { story: CaseStudy }) {
  return (
    <div className="grid content-start gap-8 sm:grid-cols-2 lg:sticky lg:top-24 lg:col-span-4 lg:grid-cols-1 lg:self-start">
      <dl className="grid content-start gap-5">
        {industry && <Fact name="Industry">{industry}</Fact>}
        {client && <Fact name="Client">{client}</Fact>}
        {technologies.length > 0 && (
          <Fact name="Technologies">
            <span className="mt-1 flex flex-wrap gap-1.5">
              {technologies.map((technology) => (
                <Badge key={technology}>{technology}</Badge>
              ))}
            </span>
          </Fact>
        )}
      </dl>
      {timeline.phases.length > 0 && (
        <section>
          <h3 className="eyebrow tracking-normal">{timeline.total ? `Timeline: ${timeline.total}` : 'Timeline'}</h3>
          <ol className="mt-3 border-l border-edge">
            {timeline.phases.map(({ when, what }) => (
              <li key={`${when} ${what}`} className="relative grid gap-0.5 pb-4 pl-5 last:pb-0">
                <span className="absolute top-1.5 -left-1 size-2 rounded-full bg-grain" aria-hidden="true" />
                <span className="font-mono text-fine text-muted">{when}</span>
                <span className="text-small">{what}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  )
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="eyebrow">{name}</dt>
      <dd className="mt-0.5 text-small">{children}</dd>
    </div>
  )
}

/** The metrics of a system. The first one is its main goal. */
function CaseStudyResults({ results }: { results: readonly Result[] }) {
  return (
    <Card as="dl" pad="none" className="mt-6 mb-4 grid sm:my-14 sm:grid-cols-3">
      {results.map(({ value, metric, description }, index) => (
        <div
          key={metric}
          className="border-t border-line px-5 py-4 first:border-t-0 sm:border-t-0 sm:border-l sm:first:border-l-0 sm:p-5 md:p-7"
        >
          <dt>
            <span className={`block font-mono text-h2 font-semibold tracking-tight tabular-nums ${index === 0 ? 'text-grain-text' : ''}`}>
              {value}
            </span>{' '}
            <span className="font-semibold">{metric}</span>
          </dt>
          <dd className="mt-1 text-small text-muted">{description}</dd>
        </div>
      ))}
    </Card>
  )
}

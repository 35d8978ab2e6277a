import { caseStudiesText } from '#app/content/case-studies.ts'
import type { CaseStudy, Result } from '#app/content/case-study.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Card } from '#app/ui/card.tsx'
import { Fold } from '#app/ui/fold.tsx'
import { CaseStudyChart } from './case-study-chart.tsx'

/** One case study: the problem, the system, its results. */
export function CaseStudySection({ story }: { story: CaseStudy }) {
  return (
    <article
      id={story.slug}
      aria-labelledby={`${story.slug}-title`}
      className="border-t border-line py-10 first:border-t-0 sm:py-24 print:py-8 print:not-first:break-before-page"
    >
      <header className="grid max-w-3xl gap-4">
        <p className="eyebrow">{story.category}</p>
        <h2 id={`${story.slug}-title`}>{story.title}</h2>
        <p className="text-lead text-muted">{story.summary}</p>
      </header>
      <CaseStudyResults results={story.results} />
      <Fold
        summary={
          <span className="font-semibold">
            {caseStudiesText.open}
            <span className="sr-only">: {story.category}</span>
          </span>
        }
      >
        <div className="grid gap-x-12 gap-y-12 pt-6 sm:pt-0 lg:grid-cols-12">
          <Facts story={story} />
          <div className="grid content-start gap-10 lg:col-span-8">
            <Told title="Challenge" paragraphs={story.challenge} />
            <Told title="Solution" paragraphs={story.solution} />
            <CaseStudyChart chart={story.chart} />
            <Implementation parts={story.implementation} />
          </div>
        </div>
      </Fold>
    </article>
  )
}

function Implementation({ parts }: { parts: readonly string[] }) {
  return (
    <section>
      <h3>Implementation</h3>
      <ul className="mt-4 grid gap-x-8 sm:grid-cols-2">
        {parts.map((part) => (
          <li key={part} className="border-t border-line py-3 text-small">
            {part}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Facts({ story }: { story: CaseStudy }) {
  return (
    <div className="grid content-start gap-8 sm:grid-cols-2 lg:sticky lg:top-24 lg:col-span-4 lg:grid-cols-1 lg:self-start">
      <dl className="grid content-start gap-5">
        <Fact name="Industry">{story.industry}</Fact>
        <Fact name="Client">{story.client}</Fact>
        <Fact name="Technologies">
          <span className="mt-1 flex flex-wrap gap-1.5">
            {story.technologies.map((technology) => (
              <Badge key={technology}>{technology}</Badge>
            ))}
          </span>
        </Fact>
      </dl>
      <section>
        <h3 className="eyebrow tracking-normal">Timeline: {story.timeline.total}</h3>
        <ol className="mt-3 border-l border-edge">
          {story.timeline.phases.map(({ when, what }) => (
            <li key={when} className="relative grid gap-0.5 pb-4 pl-5 last:pb-0">
              <span className="absolute top-1.5 -left-1 size-2 rounded-full bg-grain" aria-hidden="true" />
              <span className="font-mono text-fine text-muted">{when}</span>
              <span className="text-small">{what}</span>
            </li>
          ))}
        </ol>
      </section>
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

function Told({ title, paragraphs }: { title: string; paragraphs: readonly string[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <div className="mt-3 grid max-w-[66ch] gap-4">
        {paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
    </section>
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

import { href, Link } from 'react-router'
import { caseStudies } from '#app/content/case-studies.ts'
import type { CaseStudy } from '#app/content/case-study.ts'
import { caseStudiesSection } from '#app/content/home.ts'
import { CaseStudyChart } from '#app/site/case-studies/case-study-chart.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'

/** The first case study with its chart, the others on a line each. */
export function CaseStudyTeasers() {
  const [first, ...others] = caseStudies
  return (
    <section id="case-studies" aria-labelledby="case-studies-title" className="border-t border-line">
      <div className="wrap py-20 sm:py-28">
        <div className="flex flex-wrap items-end justify-between gap-6">
          <div className="max-w-3xl">
            <h2 id="case-studies-title">{caseStudiesSection.title}</h2>
            <p className="mt-4 text-lead text-muted">{caseStudiesSection.text}</p>
          </div>
          <ButtonLink to={href('/case-studies')} look="quiet">
            {caseStudiesSection.all}
          </ButtonLink>
        </div>
        {first && <Featured story={first} />}
        <ul className="mt-12 border-b border-line">
          {others.map((story) => (
            <Teaser key={story.slug} story={story} />
          ))}
        </ul>
      </div>
    </section>
  )
}

function Featured({ story }: { story: CaseStudy }) {
  return (
    <article className="mt-12 grid gap-x-12 gap-y-8 lg:grid-cols-12 lg:items-center">
      <div className="grid content-start gap-4 lg:col-span-5">
        <p className="eyebrow">{story.category}</p>
        <h3 className="text-h2">{story.title}</h3>
        <p className="text-muted">{story.summary}</p>
        <dl className="grid gap-3 border-t border-line pt-4">
          {story.results.slice(1).map(({ value, metric }) => (
            <div key={metric} className="flex flex-row-reverse items-baseline justify-end gap-3">
              <dt className="text-small text-muted">{metric}</dt>
              <dd className="font-mono text-body font-semibold">{value}</dd>
            </div>
          ))}
        </dl>
        <p>
          <FullStory story={story} />
        </p>
      </div>
      <div className="lg:col-span-7">
        <CaseStudyChart chart={story.chart} />
      </div>
    </article>
  )
}

function Teaser({ story }: { story: CaseStudy }) {
  return (
    <li className="grid gap-x-8 gap-y-2 border-t border-line py-6 lg:grid-cols-12 lg:items-baseline">
      <p className="font-mono text-h3 font-semibold lg:col-span-2">{story.results[0]?.value}</p>
      <div className="lg:col-span-7">
        <h3>{story.title}</h3>
        <p className="mt-1 text-small text-muted">{story.summary}</p>
      </div>
      <p className="lg:col-span-3 lg:text-right">
        <FullStory story={story} />
      </p>
    </li>
  )
}

function FullStory({ story }: { story: CaseStudy }) {
  return (
    <Link to={`${href('/case-studies')}#${story.slug}`} className="link inline-flex min-h-11 items-center text-small font-semibold">
      {caseStudiesSection.whole}
      <span className="sr-only">: {story.category}</span>
    </Link>
  )
}

import { href, Link } from 'react-router'
import { shownCaseStudies } from '#app/content/case-studies.ts'
import type { CaseStudy } from '#app/content/case-study.ts'
import { caseStudiesSection } from '#app/content/home.ts'
import { CaseStudyChart } from '#app/site/case-studies/case-study-chart.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Section } from '#app/ui/section.tsx'

/** The first case study with its chart, the others beside it. */
export function CaseStudyTeasers() {
  const [first, ...others] = shownCaseStudies()
  return (
    <Section id="case-studies" pad="close">
      <div className="flex flex-wrap items-end justify-between gap-6">
        <div className="max-w-3xl">
          <h2 id="case-studies-title">{caseStudiesSection.title}</h2>
          <p className="mt-3 text-muted">{caseStudiesSection.text}</p>
        </div>
        <ButtonLink to={href('/case-studies')} look="quiet">
          {caseStudiesSection.all}
        </ButtonLink>
      </div>
      <div className="mt-6 grid grid-cols-1 gap-x-14 gap-y-8 lg:mt-8 lg:grid-cols-12">
        {first && <Featured story={first} />}
        <ul className="snap-row lg:col-span-5 lg:content-between lg:[--gap:0px]">
          {others.map((story) => (
            <Teaser key={story.slug} story={story} />
          ))}
        </ul>
      </div>
    </Section>
  )
}

function Featured({ story }: { story: CaseStudy }) {
  return (
    <article className="grid content-start gap-4 lg:col-span-7">
      <div>
        <p className="eyebrow">{story.category}</p>
        <h3 className="mt-1">{story.title}</h3>
        <p className="mt-2 text-muted">{story.summary}</p>
      </div>
      {story.chart && <CaseStudyChart chart={story.chart} />}
      <div className="flex flex-wrap items-center gap-x-8 gap-y-1">
        <dl className="flex flex-wrap gap-x-8 gap-y-1">
          {story.results.slice(1).map(({ value, metric }) => (
            <div key={metric} className="flex flex-row-reverse items-baseline justify-end gap-3">
              <dt className="text-small text-muted">{metric}</dt>
              <dd className="font-mono text-body font-semibold">{value}</dd>
            </div>
          ))}
        </dl>
        <p className="lg:ml-auto">
          <FullStory story={story} />
        </p>
      </div>
    </article>
  )
}

function Teaser({ story }: { story: CaseStudy }) {
  return (
    <li className="flex flex-col border-t border-line pt-4 lg:pb-2">
      <p className="font-mono text-h3 font-semibold">{story.results[0]?.value}</p>
      <h3 className="mt-1">{story.title}</h3>
      <p className="mt-1 text-small text-muted">{story.summary}</p>
      <p className="mt-auto">
        <FullStory story={story} />
      </p>
    </li>
  )
}

function FullStory({ story }: { story: CaseStudy }) {
  return (
    // As a document, since only then the study is the target of its page.
    <Link
      reloadDocument
      to={`${href('/case-studies')}#${story.slug}`}
      className="link inline-flex min-h-11 items-center text-small font-semibold"
    >
      {caseStudiesSection.whole}
      <span className="sr-only">: {story.category}</span>
    </Link>
  )
}

import { href } from 'react-router'
import { ClaimBand } from '#app/site/shell/claim-strip.tsx'
import { homeQuestions } from '#app/content/faq.ts'
import { hero, questionsSection, technologies, technologySection } from '#app/content/home.ts'
import { QuestionList } from '#app/ui/questions.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { About } from './about.tsx'
import { BeforeAndAfter } from './before-after.tsx'
import { HomeCatalog } from './catalogue.tsx'
import { DatasetSpecimen } from './dataset-specimen.tsx'
import { CaseStudyTeasers } from './stories.tsx'
import { Extraction } from './extraction.tsx'
import { PriceChart } from './price-chart.tsx'
import { Section, SectionHead } from '#app/ui/section.tsx'

/** The home page of visitors. `children` is its end, with the form. */
export function PublicHome({ children }: { children: React.ReactNode }) {
  return (
    <>
      <Hero />
      <ClaimBand names={['projects', 'accuracy', 'experience', 'satisfaction', 'businesses']} />
      <DatasetSpecimen />
      <BeforeAndAfter />
      <HomeCatalog />
      <PriceChart />
      <CaseStudyTeasers />
      <Technology />
      <About />
      <HomeQuestions />
      {children}
    </>
  )
}

const HALF = Math.ceil(homeQuestions.length / 2)

function HomeQuestions() {
  return (
    <Section id="questions" ground="surface" pad="close">
      <SectionHead of="questions" title={questionsSection.title} text={questionsSection.text} />
      {/* Two lists, so that an open answer moves only its own column. */}
      <div className="mt-6 grid items-start gap-x-12 *:border-b-0 lg:mt-8 lg:grid-cols-2">
        <QuestionList name="questions" questions={homeQuestions.slice(0, HALF)} />
        <QuestionList name="questions" questions={homeQuestions.slice(HALF)} />
      </div>
    </Section>
  )
}

/** The six steps of a page's data, joined by a line. */
function Technology() {
  return (
    <Section id="technology" ground="sunken" pad="close">
      <SectionHead of="technology" {...technologySection} />
      {/* It scrolls sideways on a phone, so it must be reachable by keyboard. */}
      <ol
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-labelledby="technology-title"
        className="snap-row mt-6 pt-2 [--gap:0px] lg:mt-8 lg:grid-cols-3 lg:gap-y-6 xl:grid-cols-6"
      >
        {technologies.map(({ title, description, tools }) => (
          <li key={title} className="relative grid content-start gap-1 border-t-2 border-edge pt-4 pr-5">
            <span className="absolute -top-[7px] left-0 size-3 rounded-full border-2 border-edge bg-grain" aria-hidden="true" />
            <h3>{title}</h3>
            <p className="text-small text-muted">{description}</p>
            <p className="font-mono text-fine">{tools}</p>
          </li>
        ))}
      </ol>
    </Section>
  )
}

function Hero() {
  return (
    <section className="wrap grid gap-x-8 gap-y-6 pt-8 pb-10 sm:pt-12 lg:grid-cols-12 lg:pb-10">
      <div className="grid content-start justify-items-start gap-5 lg:col-span-8">
        <Badge look="leaf" dot>
          {hero.badge}
        </Badge>
        <h1 className="text-hero tracking-[-0.03em]">{hero.title}</h1>
      </div>
      <div className="grid content-end gap-6 lg:col-span-4 lg:pb-2">
        <p className="max-w-[44ch] text-lead text-muted">{hero.text}</p>
        <div className="grid gap-3 md:grid-cols-[3fr_2fr] lg:grid-cols-1 lg:justify-items-start">
          <ButtonLink to={href('/contact')} size="large">
            {hero.quote}
          </ButtonLink>
          <ButtonLink to={href('/case-studies')} size="large" look="quiet">
            {hero.stories}
          </ButtonLink>
        </div>
      </div>
      <div className="min-w-0 pt-2 lg:col-span-12 lg:pt-4">
        <Extraction />
      </div>
    </section>
  )
}

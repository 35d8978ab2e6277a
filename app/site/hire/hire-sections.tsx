import { hireQuestions } from '#app/content/faq.ts'
import { hireExpert, hireProblem, hireProcess, hireQuestionsText, hireSolutions, scraperLog } from '#app/content/hire.ts'
import { cx } from '#app/ui/class-names.ts'
import { QuestionList } from '#app/ui/questions.tsx'
import { Section, SectionHead } from '#app/ui/section.tsx'

export function HireProblem() {
  return (
    <Section id="problem" ground="surface" className="grid gap-x-14 gap-y-12 lg:grid-cols-12">
      <div className="lg:col-span-5">
        <h2 id="problem-title">{hireProblem.title}</h2>
        <p className="mt-4 text-lead text-muted">{hireProblem.text}</p>
        <ScraperLog />
      </div>
      <ul className="lg:col-span-7">
        {hireProblem.items.map(({ title, text }) => (
          <li key={title} className="grid gap-1 border-t border-line py-6 last:border-b">
            <h3>{title}</h3>
            <p className="text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Every line says ok, but from the third on the data is missing. */
function ScraperLog() {
  return (
    <div aria-hidden="true" className="mt-10 overflow-hidden rounded-card border border-line bg-sunken font-mono text-fine">
      <p className="border-b border-line px-4 py-2 text-muted">scraper.log</p>
      <div className="grid gap-1.5 p-4">
        {scraperLog.map(({ night, says, stored, right }) => (
          <p key={night} className="grid grid-cols-[4rem_1fr_auto] gap-3">
            <span className="text-muted">{night}</span>
            <span>{says}</span>
            <span className={right ? 'text-muted' : 'font-semibold text-alarm'}>{stored}</span>
          </p>
        ))}
      </div>
    </div>
  )
}

export function Solutions() {
  return (
    <Section id="solutions">
      <SectionHead of="solutions" title={hireSolutions.title} />
      <ul className="mt-12 grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-2 lg:grid-cols-3">
        {hireSolutions.items.map(({ title, text, figure }) => (
          <li key={title} className="flex flex-col bg-surface p-6 sm:p-8">
            <h3>{title}</h3>
            <p className="mt-2 mb-8 text-small text-muted">{text}</p>
            <p className="mt-auto font-mono text-small font-semibold">{figure}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

export function Expert({ children }: { children: React.ReactNode }) {
  return (
    <Section id="expert" ground="sunken" className="grid gap-x-14 gap-y-10 lg:grid-cols-12">
      <h2 id="expert-title" className="lg:col-span-4">
        {hireExpert.title}
      </h2>
      <div className="grid gap-4 text-lead lg:col-span-8">
        {hireExpert.text.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <div className="mt-6 border-t border-line">{children}</div>
      </div>
    </Section>
  )
}

export function Process() {
  return (
    <Section id="process">
      <SectionHead of="process" title={hireProcess.title} />
      <ol className="mt-14 grid lg:grid-cols-5">
        {hireProcess.steps.map(({ title, text, when }, index) => (
          <li
            key={title}
            className="relative grid content-start gap-1 border-l-2 border-edge pb-10 pl-7 last:pb-0 lg:border-t-2 lg:border-l-0 lg:pt-7 lg:pr-6 lg:pb-0 lg:pl-0"
          >
            <span
              className={cx(
                'absolute top-1 -left-[7px] size-3 rounded-full border-2 border-edge lg:-top-[7px] lg:left-0',
                index === hireProcess.steps.length - 1 ? 'bg-grain' : 'bg-paper',
              )}
              aria-hidden="true"
            />
            <p className="font-mono text-fine text-grain-text">{when}</p>
            <h3>{title}</h3>
            <p className="text-small text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </Section>
  )
}

export function HireQuestions() {
  return (
    <Section id="questions" ground="surface">
      <div className="mx-auto max-w-3xl">
        <h2 id="questions-title">{hireQuestionsText.title}</h2>
        <p className="mt-4 mb-10 text-muted">{hireQuestionsText.text}</p>
        <QuestionList name="hire-questions" questions={hireQuestions} />
      </div>
    </Section>
  )
}

import { homeQuestions } from '#app/content/faq.ts'
import { questionsSection } from '#app/content/home.ts'
import { QuestionList } from '#app/ui/questions.tsx'

export function HomeQuestions() {
  return (
    <section aria-labelledby="questions-title" className="border-t border-line bg-surface">
      <div className="wrap grid gap-x-12 gap-y-10 py-20 sm:py-28 lg:grid-cols-12">
        <div className="lg:sticky lg:top-24 lg:col-span-4 lg:self-start">
          <h2 id="questions-title">{questionsSection.title}</h2>
          <p className="mt-4 max-w-[40ch] text-muted">{questionsSection.text}</p>
        </div>
        <div className="lg:col-span-8">
          <QuestionList name="questions" questions={homeQuestions} />
        </div>
      </div>
    </section>
  )
}

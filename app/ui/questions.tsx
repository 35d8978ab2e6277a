import { OpenSign } from './fold.tsx'

type QuestionsProps = {
  /** Unique on the page: of the questions with the same name, at most one is open. */
  name: string
  questions: readonly { readonly id: string; readonly question: string; readonly answer: readonly string[] }[]
}

/** A list of questions that expand to their answers, one at a time, without JavaScript. */
export function QuestionList({ name, questions }: QuestionsProps) {
  return (
    <div className="border-b border-line">
      {questions.map(({ id, question, answer }) => (
        <details key={id} id={id} name={name} className="group border-t border-line">
          <summary className="flex min-h-14 list-none items-center justify-between gap-6 py-3 font-semibold hover:text-grain-text [&::-webkit-details-marker]:hidden">
            <h3 className="font-sans text-body font-semibold tracking-normal">{question}</h3>
            <OpenSign />
          </summary>
          <div className="grid max-w-[66ch] gap-3 pb-7 text-muted">
            {answer.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
        </details>
      ))}
    </div>
  )
}

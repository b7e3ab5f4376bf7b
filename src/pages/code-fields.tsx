import { CODE_FORMATS, CODE_SIZES, type CodedPicture, codeOf } from './codes.ts'
import { Icon } from './icons.tsx'
import type { Language } from './language.ts'
import { MESSAGES } from './messages.ts'

interface CodeFieldProps {
  language: Language
  id: string
  label: string
  /** What the copy button copies, if the label alone does not say it. */
  what?: string
  code: string
  /** Whether the code has a line for each picture. */
  long?: boolean
}

/** A code to copy: a labelled field, and a button that the script shows. */
export function CodeField({ language, id, label, what = label, code, long = false }: CodeFieldProps) {
  const messages = MESSAGES[language].codes
  return (
    <div class="code">
      <label for={id}>{label}</label>
      {long ? (
        <textarea id={id} readonly dir="ltr" rows={5}>
          {code}
        </textarea>
      ) : (
        <input id={id} readonly dir="ltr" value={code} />
      )}
      <button
        type="button"
        class="copy"
        hidden
        data-copy={id}
        data-copied-text={messages.copied}
        data-failed-text={messages.copyFailed}
        title={messages.copyOf(what)}
      >
        <span class="copy-face">
          <Icon name="copy" />
          <span aria-live="polite">{messages.copy}</span>
        </span>
        <span class="visually-hidden"> {what}</span>
      </button>
    </div>
  )
}

interface CodeGroupsProps {
  language: Language
  /** One picture, or several with a line each. */
  pictures: readonly CodedPicture[]
  long?: boolean
}

/** All codes of pictures: those that show the thumbnail, and those that show the original. */
export function CodeGroups({ language, pictures, long = false }: CodeGroupsProps) {
  const messages = MESSAGES[language].codes
  return (
    <div class="codes">
      {CODE_SIZES.map((size) => (
        <fieldset>
          <legend>{messages[size]}</legend>
          {CODE_FORMATS.map((format) => (
            <CodeField
              language={language}
              id={`code-${format}-${size}`}
              label={messages[format]}
              what={`${messages[format]}, ${messages[size]}`}
              code={pictures.map((picture) => codeOf(picture, format, size)).join('\n')}
              long={long}
            />
          ))}
        </fieldset>
      ))}
    </div>
  )
}

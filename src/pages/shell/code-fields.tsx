import type { Child } from 'hono/jsx'
import { CODE_FORMATS, type CodedImage, codeOf, codeSizesOf } from './codes.ts'
import { format } from './formatting.ts'
import { Icon } from './icons.tsx'
import type { Language } from './language.ts'
import { messagesIn } from './messages.ts'
import type { PageContext } from './page-context.ts'

interface CodeFieldProps {
  language: Language
  id: string
  label: string
  /** Names the copied text, if the label alone is not clear. */
  what?: string
  code: string
  /** Whether the code has a line for each image. */
  long?: boolean
}

/** A code to copy: a labelled field, and a button that the script shows. */
export function CodeField({ language, id, label, what = label, code, long = false }: CodeFieldProps) {
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
      <CopyButton language={language} id={id} what={what} />
    </div>
  )
}

interface CodeBlockProps {
  language: Language
  id: string
  /** The class of the code, such as `language-curl`. */
  name?: string
  /** Whether the button is beside the code, because that is short. */
  short?: boolean
  children: Child
}

/** A program, with a button that copies it. */
export function CodeBlock({ language, id, name, short = false, children }: CodeBlockProps) {
  return (
    <div class={short ? 'code-block short' : 'code-block'}>
      <pre dir="ltr" tabindex={0} id={`code-${id}`}>
        <code class={name}>{children}</code>
      </pre>
      <CopyButton language={language} id={`code-${id}`} />
    </div>
  )
}

interface CopyButtonProps {
  language: Language
  /** The id of the field that is copied; absent if a script says what is copied. */
  id?: string
  /** The text to copy, if it is in no field. */
  text?: string
  /** Names the copied text, if the label does not. */
  what?: string
  label?: string
  primary?: boolean
}

/** A button that copies a field, and says so. The script shows it. */
export function CopyButton({ language, id, text, what, label, primary = false }: CopyButtonProps) {
  const messages = messagesIn(language).codes
  return (
    <button
      type="button"
      class={primary ? 'copy primary' : 'copy'}
      hidden
      data-copy={id}
      data-copy-text={text}
      data-copied-text={messages.copied}
      data-failed-text={messages.copyFailed}
      title={what && format(messages.copyOf, { what })}
    >
      <span class="copy-face">
        <Icon name="copy" />
        <span aria-live="polite">{label ?? messages.copy}</span>
      </span>
      {what !== undefined && <span class="visually-hidden"> {what}</span>}
    </button>
  )
}

interface CodeGroupsProps {
  context: PageContext
  /** One image, or several with a line each. */
  images: readonly CodedImage[]
  long?: boolean
}

/** All codes of images: those that show the thumbnail, the preview and the original, and last the address of the file. */
export function CodeGroups({ context, images, long = false }: CodeGroupsProps) {
  const { language, site } = context
  const messages = messagesIn(language).codes
  return (
    <>
      <div class="codes">
        {codeSizesOf(images).map((size) => (
          <fieldset>
            <legend>{messages[size]}</legend>
            {CODE_FORMATS.map((format) => (
              <CodeField
                language={language}
                id={`code-${format}-${size}`}
                label={messages[format]}
                what={`${messages[format]}, ${messages[size]}`}
                code={images.map((image) => codeOf(image, format, size)).join('\n')}
                long={long}
              />
            ))}
          </fieldset>
        ))}
      </div>
      {site.showsFileLinks && (
        <CodeField
          language={language}
          id="code-file"
          label={messages.file}
          code={images.map(({ originalUrl }) => originalUrl).join('\n')}
          long={long}
        />
      )}
    </>
  )
}

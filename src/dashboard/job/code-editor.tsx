/** A JSON editor by CodeMirror, which takes the nonce of the page for its styles. */

import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import {
  HighlightStyle,
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { linter } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';

import style from './job.module.css';

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--json-key)' },
  { tag: tags.string, color: 'var(--json-text)' },
  { tag: tags.number, color: 'var(--json-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--json-word)' },
]);

const look = EditorView.theme({
  '&': { fontSize: '13px', backgroundColor: 'var(--bg)', color: 'var(--text)' },
  '&.cm-focused': { outline: '1px solid var(--accent)' },
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--dim)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--hover) 60%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    {
      backgroundColor: 'var(--selected)',
    },
  '.cm-scroller': { maxHeight: '52dvh', minHeight: '220px' },
});

/**
 * Puts typed text in place of a selection without the browser, which keeps the colours of replaced text as a style
 * attribute: the content security policy refuses it with an error in the console.
 */
const replacesSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const selected = getSelection();
    const range = selected?.rangeCount ? selected.getRangeAt(0) : undefined;
    const text = event.inputType === 'insertText' && !event.isComposing ? event.data : null;
    if (text === null || !range || range.collapsed) return false;
    const { startContainer, startOffset, endContainer, endOffset } = range;
    if (!view.contentDOM.contains(startContainer) || !view.contentDOM.contains(endContainer)) {
      return false;
    }
    const from = view.posAtDOM(startContainer, startOffset);
    const to = view.posAtDOM(endContainer, endOffset);
    const insert = view.state.toText(text);
    event.preventDefault();
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      userEvent: 'input.type',
      scrollIntoView: true,
    });
    return true;
  },
});

export function CodeEditor({
  value,
  label,
  onChange,
}: {
  readonly value: string;
  readonly label: string;
  readonly onChange: (value: string) => void;
}) {
  const at = useRef<HTMLDivElement>(null);
  const latest = useRef(onChange);
  latest.current = onChange;
  const initial = useRef(value);
  useEffect(() => {
    if (!at.current) return undefined;
    const editor = new EditorView({
      parent: at.current,
      state: EditorState.create({
        doc: initial.current,
        extensions: [
          EditorView.cspNonce.of(nonce),
          replacesSelection,
          lineNumbers(),
          foldGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          syntaxHighlighting(colours),
          json(),
          linter(jsonParseLinter()),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          keymap.of([
            ...defaultKeymap,
            ...historyKeymap,
            ...searchKeymap,
            ...foldKeymap,
            indentWithTab,
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current(update.state.doc.toString());
          }),
          look,
        ],
      }),
    });
    editor.focus();
    return () => editor.destroy();
  }, [label]);
  return <div ref={at} className={style['editor']} />;
}

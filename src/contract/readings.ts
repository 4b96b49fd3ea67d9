/** The ambiguity register: where the specification can be read in two ways, both readings and the chosen one. */

/** One ambiguity. Requirements name it by its id. */
export interface Reading {
  readonly id: string;
  /** Sections of the specification that can be read either way. */
  readonly sections: readonly string[];
  readonly question: string;
  /** The two readings; the first is the chosen one. */
  readonly readings: readonly [taken: string, other: string];
  readonly why: string;
}

/** Every ambiguity, in the order of its number. */
export const READINGS = [
  {
    id: 'R1',
    sections: ['7'],
    question: 'Which operations owe the error envelope?',
    readings: [
      'All of them.',
      'Create call and the five others that section 7 names; the other seven may send errors in any form.',
    ],
    why: 'The section first says what an error body is, without exception. The list that follows adds operations to create call; it does not exempt the others.',
  },
  {
    id: 'R2',
    sections: ['5', '7'],
    question: 'What does the response to a rejected credential look like?',
    readings: [
      'It is the envelope, with any 4xx status.',
      'It has any form, because the response to a missing or invalid credential is not shown.',
    ],
    why: 'Only the status and the code are not shown. Every error body is the envelope, and any 4xx status will do.',
  },
  {
    id: 'R3',
    sections: ['2', '7'],
    question: 'May an error have no body?',
    readings: [
      'No: an error without the envelope lacks its required code and message.',
      'Yes: the envelope describes the body of an error only where there is one.',
    ],
    why: 'Code and message are required, and a client that reads them cannot tell an empty error from a broken connection.',
  },
  {
    id: 'R4',
    sections: ['4', '7'],
    question: 'May an operation other than create call, whose error statuses are not shown, answer 5xx?',
    readings: ['Only 503, on any operation.', 'Any 5xx, because error statuses are shown for create call alone.'],
    why: 'Among the 5xx only 503 has a meaning in the interface. Any other says that the service itself failed on a request, and no reader would take that for part of a contract.',
  },
  {
    id: 'R5',
    sections: ['2', '4', '7'],
    question: 'Does a documented type oblige create call to reject other types?',
    readings: [
      'Yes, with 400: a number for a string, or a string for a boolean, is a bad request.',
      'No: the types say what to send, and a target may convert what it receives.',
    ],
    why: 'A client that sends the wrong type has made a mistake. Conversion hides it, and on this operation a hidden mistake dials a telephone. Decoders that convert therefore do not conform.',
  },
  {
    id: 'R6',
    sections: ['2', '7'],
    question: 'May a 2xx body say success: false?',
    readings: [
      'No: success is false in errors, and an error is not sent as 2xx.',
      'Yes: the member is described for error bodies only, and success bodies are not shown.',
    ],
    why: 'A client that reads the status and a client that reads the member would disagree on whether the call was placed.',
  },
  {
    id: 'R7',
    sections: ['5'],
    question: 'May a response repeat the bearer credential?',
    readings: [
      'No, neither in a header nor in a body, in any encoding.',
      'Yes: it returns to the client that sent it, and only the inbound secret is called a secret.',
    ],
    why: 'Responses are logged, cached and displayed where requests are not, and section 5 calls a part of the value secret.',
  },
  {
    id: 'R8',
    sections: ['2'],
    question: 'Does "write-only in intent" forbid that a response shows the inbound secret?',
    readings: [
      'Yes: no response of any operation shows it, in any encoding.',
      'No: an intention is not binding, and a target may show the secret to its owner.',
    ],
    why: 'A field that can be read is not write-only. A client has the secret already, so a response that repeats it only adds a place where it can leak.',
  },
  {
    id: 'R9',
    sections: ['2', '4', '7'],
    question: 'With which status does create call reject an invalid body?',
    readings: ['Exactly 400.', 'Any 4xx, such as 422: section 7 says what 400 means and not when it is sent.'],
    why: 'Of the three error statuses shown for create call, only 400 fits a body that is wrong in itself. A client written from the specification handles those three and does not expect 422.',
  },
  {
    id: 'R10',
    sections: ['2', '4'],
    question: 'Must a number assignment reject an invalid body, or none at all?',
    readings: [
      'Yes, with any 4xx.',
      'No: only the body of create call is called required, and no errors are shown for this operation.',
    ],
    why: 'The only field is required and its format is shown. Without a valid value there is nothing to assign, so a success would be false. The status is free, because no error status is shown.',
  },
  {
    id: 'R11',
    sections: ['5'],
    question: 'May an operation answer 401 when the credential is valid but lacks permission for it?',
    readings: [
      'No: 401 says that the credential is not valid, and other operations accept it.',
      'Yes: the interface shows no status for a lack of permission.',
    ],
    why: 'All operations take the same credential. RFC 9110 has 403 for a valid credential without permission; a client that gets 401 would fetch a new one and fail again.',
  },
  {
    id: 'R12',
    sections: ['4', '5'],
    question: 'Does a path that is also served in another spelling need the credential there?',
    readings: [
      'Yes: wherever an operation is served, it needs the credential. The other spelling itself is optional.',
      'No: only the documented spelling is part of the interface.',
    ],
    why: 'The rule is about the operation, and the other spelling reaches the same operation. An unprotected spelling lets anyone past the protected one.',
  },
  {
    id: 'R13',
    sections: ['3'],
    question: 'Does a response with a trunk have to contain its status and direction?',
    readings: [
      'It should: section 3 says that the record carries both. A target without them gets a warning.',
      'It need not: the fields of returned records are not shown.',
    ],
    why: 'The two sentences contradict each other, so a failure would be disputed. A warning tells the reader without deciding it.',
  },
] as const satisfies readonly Reading[];

/** The ambiguity of that id, or `undefined` if the register has none. */
export function readingById(id: string): Reading | undefined {
  return READINGS.find((reading) => reading.id === id);
}

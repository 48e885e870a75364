// Package dataio reads the data files of a compiled model.
//
// A generated package carries a [Schema]: its plates, and the data and
// constants that the model reads. [Load] finds each of them in the files, infers
// the sizes of the plates, checks everything, and returns a [Set] of flat arrays
// in the Go convention (categories from 0), or all that is wrong at once, a line
// each, with the place.
//
// # Plates
//
// A plate's size comes from the shapes of what runs over it and from the names of
// its elements (levels, a vocabulary, a header), which must agree with each other
// and with --set; else from a file that states it ("topics": 20) or --set, which
// goes before the file; else from the model's default, which may follow the size of another plate. It is never the largest
// category seen: one that happens not to occur would vanish. The schema leaves
// out plates without a size to find (unbounded ones).
//
// # Categories
//
// In files, categories are integers from 1 or strings. Strings are looked up
// in the plate's declared levels; where none are declared, the levels are the strings
// in order of first appearance, field by field in the schema's order. That
// order is arbitrary, so it is refused where it would have to match
// another: where something else given runs over the plate, or another field
// has integer codes of it. LDA-C counts from 0 and UCI from 1, as ever.
//
// # JSON (.json), as CmdStan takes it
//
// One object. A key is
//
//   - a field: a number, boolean or string, or nested arrays of them, row by row.
//     A ragged field is a list of lists, or flat with the lengths given;
//   - a plate: its size; for a ragged plate, the length for each element of its parent;
//   - plate_length (or plate_lengths): the same lengths, the name Stan's users give them;
//   - plate_levels: a list of strings, the names of the plate's elements in order.
//
// Any other key is an error. A field goes before a plate of the same name. Files are read as a
// stream: one long line is no trouble.
//
// # CSV (.csv, .tsv)
//
// A header, then a row for each element of the first plate. A field takes
//
//  1. the columns that Options.Columns says, else
//  2. the column of its name, else
//  3. X.1, X.2, ... or X[1], X[2], ... (X.1.1 or X[1,1] for three dimensions), in any order, else
//  4. for a data matrix X[N, D], if it is the only one not yet found or the file is called X.csv: all numeric
//     columns that no field claims, in the file's order. Their headers become the levels of D. A column
//     is numeric if its first cell is.
//
// A Note says what was taken and what was left. A column named like the plate of the rows (or plate_levels)
// names its elements. Booleans are 0, 1, true, false, T, F in any case. In a column of categories in which every
// cell is a number, the numbers are codes, unless levels are declared and every cell is one of them. Ragged fields do not
// come from CSV.
//
// # R (.R, .Rdump, .dump) and BUGS
//
// Assignments, name <- value, as R's dump writes them and JAGS reads them: arrays are column by column. Or one list(name = value, ...), as WinBUGS
// and OpenBUGS have it: arrays, structure(.Data = c(...), .Dim = c(...)), are row by row. The keys are those of JSON; a number is a
// vector of one.
//
// # NPY, NPZ (.npy, .npz) and MatrixMarket (.mtx)
//
// Arrays of numbers and booleans, dense or (MatrixMarket) sparse. An NPZ file has the keys of JSON; the others hold one value, whose key is the
// file's name without its ending. Elements that a sparse matrix leaves out are 0. Where the model reads a bag of
// words, a MatrixMarket file that is called after it, or after nothing that the model knows, has the count of each word (column) in each
// document (row).
//
// # Bags of words
//
// UCI (docword.*.txt, *.docword.txt), LDA-C (*.ldac, .dat) and MatrixMarket feed the one ragged field of categories that the
// model has. Each word is repeated count times, in the file's order within a document. The
// vocabulary is Options.Vocab, or else lies beside: vocab.NAME.txt or NAME.vocab.txt for UCI, NAME.vocab (also of a
// shortened NAME: corpus.vocab for corpus.train.ldac), vocab.txt, or the only *.vocab, for LDA-C and MatrixMarket.
//
// # Stores (.gmd)
//
// [Import] writes what other files hold as binary columns, which Load maps into memory. The keys are those of JSON. Real data, and
// what else has the type that the sampler wants, is used where it lies: the pages that are touched take memory, and give it back
// when others need it. They are read-only. Everything is read once, to compare checksums and to see that every element is what its type
// says. What is changed, by Options.Transform or from another type, is copied. An array that the model has no use for is noted; a bag of words
// feeds the one ragged field of categories, whatever its name.
//
// A mapping lasts as long as the process. Who cuts a store short meanwhile ends the process by a fault; Import replaces a store
// by another file, which does no harm. Where files can't be mapped they are read.
//
// # What is refused
//
// NaN and infinities, anywhere; NA, null and empty cells, which say that a value was not observed (NaN
// says that a computation failed): missing data are not supported yet. Counts and headers are not trusted for
// memory: what they claim must be in proportion to the file. A store whose checksums are wrong is damaged.
package dataio

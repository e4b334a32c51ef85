-- The journal: one row for each thing that happened. Rows are added and never changed; the triggers hold us to it.
CREATE TABLE entries (
    number INTEGER PRIMARY KEY AUTOINCREMENT,   -- order of arrival; corrections and undo name it
    game   INTEGER REFERENCES entries (number), -- number of the row that started the game; NULL in that row itself
    t      REAL NOT NULL CHECK (t >= 0),        -- seconds on the table's clock; (t, number) is the order of effect
    author TEXT NOT NULL,                       -- who said so: a player's name, "eye", "button", "host"
    wall   REAL NOT NULL,                       -- seconds since 1970 as the machine knew it: decoration
    event  TEXT NOT NULL                        -- JSON of referee.events.encode
) STRICT;

CREATE INDEX entries_in_order ON entries (game, t, number);

CREATE TRIGGER entries_are_not_changed BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

CREATE TRIGGER entries_are_not_deleted BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

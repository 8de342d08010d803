/** Chinook's tables on PostgreSQL as entities, in the form that generators of TypeORM entities write. */

import {
  Column,
  Entity,
  Index,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
} from 'typeorm';
import type { Relation } from 'typeorm';

@Entity('artist')
export class Artist {
  @PrimaryColumn('integer', { name: 'artist_id' }) artistId!: number;
  @Column('character varying', { name: 'name', nullable: true, length: 120 }) name!: string | null;
  @OneToMany(() => Album, (album) => album.artist) albums!: Relation<Album>[];
}

@Index('ifk_album_artist_id', ['artistId'], {})
@Entity('album')
export class Album {
  @PrimaryColumn('integer', { name: 'album_id' }) albumId!: number;
  @Column('character varying', { name: 'title', length: 160 }) title!: string;
  @Column('integer', { name: 'artist_id' }) artistId!: number;
  @ManyToOne(() => Artist, (artist) => artist.albums)
  @JoinColumn([{ name: 'artist_id', referencedColumnName: 'artistId' }])
  artist!: Relation<Artist>;
  @OneToMany(() => Track, (track) => track.album) tracks!: Relation<Track>[];
}

@Entity('genre')
export class Genre {
  @PrimaryColumn('integer', { name: 'genre_id' }) genreId!: number;
  @Column('character varying', { name: 'name', nullable: true, length: 120 }) name!: string | null;
  @OneToMany(() => Track, (track) => track.genre) tracks!: Relation<Track>[];
}

@Entity('track')
export class Track {
  @PrimaryColumn('integer', { name: 'track_id' }) trackId!: number;
  @Column('character varying', { name: 'name', length: 200 }) name!: string;
  @Column('integer', { name: 'album_id', nullable: true }) albumId!: number | null;
  @Column('integer', { name: 'media_type_id' }) mediaTypeId!: number;
  @Column('integer', { name: 'genre_id', nullable: true }) genreId!: number | null;
  @Column('character varying', { name: 'composer', nullable: true, length: 220 }) composer!:
    | string
    | null;
  @Column('integer', { name: 'milliseconds' }) milliseconds!: number;
  @Column('integer', { name: 'bytes', nullable: true }) bytes!: number | null;
  @Column('numeric', { name: 'unit_price', precision: 10, scale: 2 }) unitPrice!: string;
  @ManyToOne(() => Album, (album) => album.tracks, { nullable: true })
  @JoinColumn([{ name: 'album_id', referencedColumnName: 'albumId' }])
  album!: Relation<Album> | null;
  @ManyToOne(() => Genre, (genre) => genre.tracks, { nullable: true })
  @JoinColumn([{ name: 'genre_id', referencedColumnName: 'genreId' }])
  genre!: Relation<Genre> | null;
  @ManyToMany(() => Playlist, (playlist) => playlist.tracks) playlists!: Relation<Playlist>[];
  @OneToMany(() => InvoiceLine, (line) => line.track) invoiceLines!: Relation<InvoiceLine>[];
}

@Entity('playlist')
export class Playlist {
  @PrimaryColumn('integer', { name: 'playlist_id' }) playlistId!: number;
  @Column('character varying', { name: 'name', nullable: true, length: 120 }) name!: string | null;
  @ManyToMany(() => Track, (track) => track.playlists)
  @JoinTable({
    name: 'playlist_track',
    joinColumns: [{ name: 'playlist_id', referencedColumnName: 'playlistId' }],
    inverseJoinColumns: [{ name: 'track_id', referencedColumnName: 'trackId' }],
  })
  tracks!: Relation<Track>[];
}

@Entity('employee')
export class Employee {
  @PrimaryColumn('integer', { name: 'employee_id' }) employeeId!: number;
  @Column('character varying', { name: 'last_name', length: 20 }) lastName!: string;
  @Column('character varying', { name: 'first_name', length: 20 }) firstName!: string;
  @Column('timestamp without time zone', { name: 'birth_date', nullable: true })
  birthDate!: Date | null;
  @ManyToOne(() => Employee, (employee) => employee.employees, { nullable: true })
  @JoinColumn([{ name: 'reports_to', referencedColumnName: 'employeeId' }])
  reportsTo!: Relation<Employee> | null;
  @OneToMany(() => Employee, (employee) => employee.reportsTo) employees!: Relation<Employee>[];
  @OneToMany(() => Customer, (customer) => customer.supportRep) customers!: Relation<Customer>[];
}

@Entity('customer')
export class Customer {
  @PrimaryColumn('integer', { name: 'customer_id' }) customerId!: number;
  @Column('character varying', { name: 'first_name', length: 40 }) firstName!: string;
  @Column('character varying', { name: 'last_name', length: 20 }) lastName!: string;
  @Column('character varying', { name: 'state', nullable: true, length: 40 }) state!: string | null;
  @Column('character varying', { name: 'country', nullable: true, length: 40 }) country!:
    | string
    | null;
  @Column('character varying', { name: 'email', length: 60 }) email!: string;
  @ManyToOne(() => Employee, (employee) => employee.customers, { nullable: true })
  @JoinColumn([{ name: 'support_rep_id', referencedColumnName: 'employeeId' }])
  supportRep!: Relation<Employee> | null;
  @OneToMany(() => Invoice, (invoice) => invoice.customer) invoices!: Relation<Invoice>[];
}

@Entity('invoice')
export class Invoice {
  @PrimaryColumn('integer', { name: 'invoice_id' }) invoiceId!: number;
  @Column('timestamp without time zone', { name: 'invoice_date' }) invoiceDate!: Date;
  @Column('character varying', { name: 'billing_city', nullable: true, length: 40 })
  billingCity!: string | null;
  @Column('numeric', { name: 'total', precision: 10, scale: 2 }) total!: string;
  @ManyToOne(() => Customer, (customer) => customer.invoices)
  @JoinColumn([{ name: 'customer_id', referencedColumnName: 'customerId' }])
  customer!: Relation<Customer>;
  @OneToMany(() => InvoiceLine, (line) => line.invoice) invoiceLines!: Relation<InvoiceLine>[];
}

@Entity('invoice_line')
export class InvoiceLine {
  @PrimaryColumn('integer', { name: 'invoice_line_id' }) invoiceLineId!: number;
  @Column('numeric', { name: 'unit_price', precision: 10, scale: 2 }) unitPrice!: string;
  @Column('integer', { name: 'quantity' }) quantity!: number;
  @ManyToOne(() => Invoice, (invoice) => invoice.invoiceLines)
  @JoinColumn([{ name: 'invoice_id', referencedColumnName: 'invoiceId' }])
  invoice!: Relation<Invoice>;
  @ManyToOne(() => Track, (track) => track.invoiceLines)
  @JoinColumn([{ name: 'track_id', referencedColumnName: 'trackId' }])
  track!: Relation<Track>;
}

export const entities = {
  artist: Artist,
  album: Album,
  genre: Genre,
  track: Track,
  playlist: Playlist,
  employee: Employee,
  customer: Customer,
  invoice: Invoice,
  invoiceLine: InvoiceLine,
};
